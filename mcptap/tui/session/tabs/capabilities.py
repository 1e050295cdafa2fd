"""The capabilities of both sides: what was declared, and what was used."""

from __future__ import annotations

from typing import Any

from mcptap.protocol.revisions import NEWEST_HANDSHAKE, find
from mcptap.protocol.statistics.counts import Statistics
from mcptap.recording.format.model import as_object
from mcptap.text.columns import fit, fit_right
from mcptap.tui.index.judgement import Judgement
from mcptap.tui.session.tabs.tab import Page, Tab, View, not_judged_yet, not_of_the_moment
from mcptap.tui.widgets.document import Line, pairs, rule, text_line
from mcptap.tui.widgets.text import visible
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

ORDER = ("tools", "resources", "prompts", "completions", "logging", "sampling", "roots", "elicitation")
"""What stands first, the most used first; all others follow as they come."""


class CapabilitiesTab(Tab):
    """Capabilities and the methods that needed them."""

    name = "capabilities"
    key = "4"
    help = "detail: capabilities of both sides"

    def render(self, view: View) -> Page:
        """Both sides, one below the other."""
        judged = view.judgement
        if judged is None:
            return not_judged_yet()
        return Page([*not_of_the_moment(view), *capability_lines(judged, judged.statistics, view.width)])


def capability_lines(judgement: Judgement, statistics: Statistics, columns: int) -> list[Line]:
    """What each side declared and what was used, side by side, with the gaps."""
    lines = [rule("Session")]
    lines += pairs(
        [
            ("client", _who(judgement.client_info) or judgement.client or "said no name"),
            ("server", _who(judgement.server_info) or "said no name"),
            ("revision", _revision(judgement)),
        ],
        columns,
    )
    revision = judgement.revision
    lines += [text_line(""), rule("The server's capabilities", note="● declared · messages that need it")]
    lines += _matrix(judgement.server_capabilities, "server", revision, statistics, judgement.unknown_why)
    lines += [text_line(""), rule("The client's capabilities", note="● declared · messages that need it")]
    lines += _matrix(judgement.client_capabilities, "client", revision, statistics, judgement.unknown_why)
    lines += [text_line(""), rule("Methods", note="requests and notifications that passed")]
    for (channel, method), row in sorted(statistics.methods.items(), key=lambda item: -item[1].calls):
        glyph, role = ("→", "client") if channel == "c2s" else ("←", "server")
        lines.append(
            Line([(f"{glyph} ", role), (fit(visible(method), 36), "plain"), (f"{row.calls:>9,}", "dim")])
        )
    return lines


def _revision(judgement: Judgement) -> str:
    if not judgement.revision:
        return f"asked for {judgement.requested}, never agreed" if judgement.requested else "none was agreed"
    asked = judgement.requested
    return judgement.revision + (
        f" (the client asked for {asked})" if asked and asked != judgement.revision else ""
    )


def _who(info: dict[str, Any]) -> str:
    title = f" ({info['title']})" if isinstance(info.get("title"), str) else ""
    return f"{info.get('name', '')} {info.get('version', '')}".strip() + title


def _matrix(
    declared: dict[str, Any] | None, side: str, revision: str, statistics: Statistics, why: str
) -> list[Line]:
    """One line a capability of one side: ● declared, ○ not; what it was used for; and the gap in words."""
    if declared is None and why:
        return [text_line(f"not known: {why}", "dim")]
    if declared is None:
        return [text_line("nothing was declared: the opening of the session was never answered", "problem")]
    used = _used(side, revision, statistics)
    lines = []
    for name in sorted(dict.fromkeys((*used, *declared)), key=_place):
        has = declared.get(name) not in (None, False)
        calls = used.get(name, 0)
        options = as_object(declared.get(name)) if has else {}
        more = ", ".join(key for key, value in options.items() if value not in (False, None))
        mark = ("● ", "server") if has else ("○ ", "faint")
        pieces = [mark, (fit(visible(name), 14), "bright" if has else "dim")]
        pieces.append((fit_right(f"{calls:,}×" if calls else "", 10) + "  ", "plain"))
        if calls and not has:
            pieces.append(("▒ used, but not declared", "problem"))
        elif has and not calls and side == "server" and name in ("tools", "resources", "prompts"):
            pieces.append(("declared, never used", "stderr"))
        elif more:
            pieces.append((visible(more), "dim"))
        lines.append(Line(pieces))
    if not declared:
        lines.append(text_line("It declared nothing at all.", "stderr"))
    return lines


def _place(name: str) -> int:
    return ORDER.index(name) if name in ORDER else len(ORDER)


def _used(side: str, revision: str, statistics: Statistics) -> dict[str, int]:
    """The capabilities of a side that the revision knows, and how many messages needed each."""
    used: dict[str, int] = {}
    for method in (find(revision) or NEWEST_HANDSHAKE).methods.values():
        for need in method.requires:
            needed_of, _, path = need.partition(".")
            if needed_of != side:
                continue
            name = path.partition(".")[0]
            used.setdefault(name, 0)
            # A request needs a capability of its receiver, a notification one of its sender.
            server_speaks = (side == "server") != method.is_request
            row = statistics.methods.get(
                (SERVER_TO_CLIENT if server_speaks else CLIENT_TO_SERVER, method.name)
            )
            used[name] += row.calls if row is not None else 0
    return used
