"""What a probe left out since it may act, in verdicts that name the option that would do it."""

from __future__ import annotations

from typing import Any

from mcptap.play.client.arguments import is_read_only
from mcptap.play.probe.allowed import Allowed
from mcptap.play.probe.progress import ProbeProgress
from mcptap.play.probe.tool_calls import SECTION
from mcptap.play.probe.verdict import Grade
from mcptap.text.enumeration import listed
from mcptap.text.units import counted

NO_OPTION = {
    "resources": "reading resources",
    "prompts": "prompts",
    "completions": "completion",
    "subscriptions": "subscriptions",
    "logging": "the log level",
    "tasks": "tasks",
}
"""What a probe has no option for, by the capability that offers it."""


def note_not_tried(progress: ProbeProgress, allowed: Allowed) -> None:
    """Add a verdict for each kind of question that was not asked of some tool, or not at all."""
    tools, add = progress.tools, progress.result.add
    called = {call.name for call in allowed.calls if not call.cancel}
    uncalled = [
        t for t in tools if t.get("name") not in called and not (allowed.read_only and is_read_only(t))
    ]
    if uncalled:
        add(
            SECTION,
            "a call",
            Grade.SKIPPED,
            f"{_on(len(uncalled))}; --call TOOL JSON makes one{_hinted(uncalled)}",
        )
    if tools and not any(call.cancel for call in allowed.calls):
        words = "a tool that is called may act; --cancel TOOL JSON calls and cancels one"
        add(SECTION, "cancellation of a call", Grade.SKIPPED, words)
    untried = sum(1 for tool in tools if tool.get("name") not in allowed.wrong_arguments)
    if untried:
        add(SECTION, "wrong arguments", Grade.SKIPPED, f"{_on(untried)}; --wrong-arguments TOOL tries one")
    others = [words for capability, words in NO_OPTION.items() if capability in progress.declared]
    if others:
        words = "may act, and probe never does it; mcptap send repeats what a client did"
        add(SECTION, listed(others, len(others)), Grade.SKIPPED, words)


def _on(count: int) -> str:
    return f"on {counted(count, 'tool')}: {'it' if count == 1 else 'they'} may act"


def _hinted(tools: list[dict[str, Any]]) -> str:
    count = sum(map(is_read_only, tools))
    if not count:
        return ""
    says = "says that it only reads" if count == 1 else "say that they only read"
    return f", --call-read-only calls the {count:,} that {says} (which nobody checks)"
