"""A probe as JSON for programs. Members are added, none is renamed or removed."""

from __future__ import annotations

from typing import Any

from mcptap.play.probe.client_report import ClientReport
from mcptap.play.probe.report.judged import JudgedProbe


def as_json(judged: JudgedProbe) -> dict[str, Any]:
    """The whole; everything in it can be written as JSON."""
    result = judged.result
    server = result.server
    return {
        "ok": judged.ok,
        "summary": judged.summary,
        "no_server": result.no_server or None,
        "calls": result.calls,
        "client": None if judged.as_client is None else _appearance(judged.as_client),
        "verdicts": [
            {"section": section, "question": v.question, "grade": v.grade.value, "words": v.words}
            for section, verdicts in result.verdicts.items()
            for v in verdicts
        ],
        "server": None
        if server is None
        else {
            "revision": server.revision,
            "info": server.info,
            "capabilities": server.capabilities,
            "lists": server.lists,
            "errors": server.errors,
        },
        "findings": [
            {"recording": one.session.path if judged.is_kept else None, **one.finding.as_object()}
            for one in judged.findings
        ],
        "recordings": [
            {"path": session.path, "what": session.what} for session in result.sessions if judged.is_kept
        ],
    }


def _appearance(as_client: ClientReport) -> dict[str, Any]:
    return {
        "id": as_client.client.id,
        "shown": as_client.outcome.value,
        "why": as_client.why,
        "less": as_client.less,
        "cause": as_client.cause,
        "tools": as_client.tools,
        "conditions": dict(as_client.conditions),
        "assumptions": as_client.assumptions,
        "remarks": as_client.remarks,
    }
