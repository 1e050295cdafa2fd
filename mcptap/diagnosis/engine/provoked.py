"""Which findings of a probe's recording are its own doing, and not the server's."""

from __future__ import annotations

from mcptap.clients.faults import Fault
from mcptap.diagnosis.engine.finding import Finding
from mcptap.diagnosis.engine.registry import RULES
from mcptap.protocol.model.parts.questions import Questions

NEVER_EXCUSED = frozenset(
    {
        Fault.NOT_JSON,
        Fault.GLUED_TEXT,
        Fault.MESSAGE_OVER_LINES,
        Fault.BYTE_ORDER_MARK,
        Fault.INVALID_UTF8,
        Fault.UTF16,
        Fault.BARE_VALUE,
        Fault.NULL_MEMBER,
        Fault.JSONRPC_VERSION,
    }
)
"""Faults of lines that no client can read: no question asks for such an answer."""


def is_provoked(finding: Finding, questions: Questions) -> bool:
    """Whether the probe brought it about with one of its odd questions."""
    rule = RULES[finding.rule]
    if rule.about_questions or rule.expected or finding.fault in NEVER_EXCUSED:
        return False
    if questions.current:
        return True
    records = {*finding.records, *(() if finding.line is None else (finding.line,))}
    return bool(records) and records <= questions.provoked
