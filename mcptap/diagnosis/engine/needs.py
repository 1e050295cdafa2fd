"""What a rule has to know that a capture of another tool may not tell.

A recording of mcptap tells everything. Where a capture can't tell what a rule needs, the
rule is quiet: what can't be known is not accused.
"""

from __future__ import annotations

from mcptap.captures.evidence import Evidence

_FRAMING = frozenset({"framing"})
_TIMES = frozenset({"times"})
_PROCESS = frozenset({"process"})
_LAUNCH = frozenset({"launch"})
_ORDER = frozenset({"order"})
_VALUES = frozenset({"values"})
_WHOLE = frozenset({"whole"})
_DIRECTIONS = frozenset({"directions"})

NEEDS: dict[str, frozenset[str]] = {
    # the exact bytes
    "embedded-newline": _FRAMING,
    "utf8-bom": _FRAMING,
    "invalid-utf8": _FRAMING,
    "line-unterminated": _FRAMING,
    "blank-line": _FRAMING,
    "crlf": _FRAMING,
    "line-too-long": _FRAMING,
    # when things happened
    "stdout-not-flushed": _TIMES | _PROCESS,
    "response-slow": _TIMES,
    "request-timed-out": _TIMES,
    "discover-unanswered": _TIMES,
    "stdin-blocked": _TIMES | _PROCESS,
    # what stands before what
    "request-before-initialize-result": _ORDER | _WHOLE,
    "initialized-early": _ORDER | _WHOLE,
    "server-request-early": _ORDER,
    "cancelled-then-answered": _ORDER,
    "progress-after-response": _ORDER,
    "notification-answered": _ORDER | _DIRECTIONS,
    # who sent it
    "initialize-not-first": _DIRECTIONS | _ORDER | _WHOLE,
    "response-unknown-id": _DIRECTIONS | _WHOLE,
    "response-id-type": _DIRECTIONS,
    "response-duplicate": _DIRECTIONS,
    "id-reused": _DIRECTIONS,
    "cancel-unknown": _DIRECTIONS | _WHOLE | _ORDER,
    "server-request-stateless": _DIRECTIONS,
    "client-response-stateless": _DIRECTIONS,
    "server-cancel": _DIRECTIONS,
    "message-extra-member": _DIRECTIONS,  # a log may have put a time beside the members
    # values as they were sent (redaction also replaces what stands under a key like "api_key")
    "params-shape": _VALUES,
    "result-shape": _VALUES,
    "input-schema-invalid": _VALUES,
    "output-schema-invalid": _VALUES,
    "schema-unrestricted": _VALUES,
    "tool-arguments-invalid": _VALUES,
    "tool-example-rejected": _VALUES,
    "tool-silent-fallback": _VALUES,
    "tool-answers-differ": _VALUES,
    "tool-list-cost": _VALUES,
    "output-schema-mismatch": _VALUES,
    "base64-invalid": _VALUES,
    "cursor-loop": _VALUES,
    "cursor-unknown": _VALUES | _WHOLE,
    "cursor-not-followed": _VALUES | _WHOLE,
    "input-retry": _VALUES,
    "progress-token-unknown": _VALUES | _WHOLE,
    "progress-token-invalid": _VALUES,
    "progress-not-increasing": _VALUES | _ORDER,
    # what did not happen
    "request-unanswered": _WHOLE,
    "initialize-unanswered": _WHOLE,
    "ping-unanswered": _WHOLE,
    "initialized-missing": _WHOLE,
    "tools-never-listed": _WHOLE,
    "tools-list-empty": _WHOLE,
    "era-no-fallback": _WHOLE,
    "client-capability-broken": _WHOLE,
    "input-unfulfilled": _WHOLE,
    "subscription-ack": _WHOLE | _ORDER,
    "list-changed-missed": _WHOLE,
    "version-mismatch": _WHOLE,
    "task-status": _WHOLE,
    "updated-unsubscribed": _WHOLE,
    "log-level-ignored": _WHOLE,
    "log-unrequested": _WHOLE,
    "subscription-id": _WHOLE,
    "subscription-unrequested": _WHOLE,
    # the process
    "server-exited-early": _PROCESS | _WHOLE,
    "server-crashed": _PROCESS,
    "exit-on-probe": _PROCESS,
    "exit-code": _PROCESS,
    "shutdown-slow": _PROCESS | _TIMES,
    "client-killed": _PROCESS,
    "launch-unexpanded": _LAUNCH,
    "launch-cwd": _LAUNCH,
    "launch-env": _LAUNCH | _PROCESS,
}
"""Fields of `Evidence` that a rule needs; a rule that is not here needs none."""


def can_tell(evidence: Evidence, rule: str) -> bool:
    """Whether a capture with this evidence can show what the rule judges."""
    return all(getattr(evidence, field) for field in NEEDS.get(rule, ()))
