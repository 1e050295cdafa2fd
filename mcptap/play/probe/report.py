"""A probe's result as lines of text, each with its style and how it is to be wrapped."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from mcptap.diagnosis.engine.finding import Finding
from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.client_report import ClientReport
from mcptap.play.probe.findings import ProbeFinding
from mcptap.play.probe.result import ProbeResult
from mcptap.play.probe.verdict import Grade, Verdict
from mcptap.text.units import counted

Styled = tuple[str, str, int]
"""A style of the terminal, a line, and the column in which it goes on where it has to be wrapped."""

NAME_WIDTH = 34
LABEL_WIDTH = 17
DEEPER, LABELLED, ANSWERED = 4, 2 + LABEL_WIDTH + 1, 2 + 9 + 1 + NAME_WIDTH + 1
"""Where lines go on: prose, texts behind a label, and what became of a question."""

SHOWN_NAMES = 12
UNRECORDED = "sessions that could not be recorded were not judged"
GRADE_STYLES = {Grade.FINE: "plain", Grade.DIFFERS: "warning", Grade.BAD: "error", Grade.SKIPPED: "dim"}


def report(
    result: ProbeResult, as_client: ClientReport | None, found: list[ProbeFinding]
) -> Iterator[Styled]:
    """The report: as the client, the verdicts, what the server offers, the findings, the recordings."""
    if as_client is not None:
        yield from _appearance(as_client)
    for section, verdicts in result.verdicts.items():
        yield "bold", f"{section}:", DEEPER
        yield from (_verdict(verdict) for verdict in verdicts)
        yield "plain", "", 0
    if result.server is not None:
        yield from _server(result.server)
    none = f"none in what was recorded; {UNRECORDED}" if result.unrecorded else "none"
    yield "bold", f"findings, as by mcptap check:{'' if found else f' {none}'}", DEEPER
    for one in found:
        yield from _finding(one)
    yield "plain", "", 0
    yield from _recordings(result)
    yield "bold", summary(result, as_client, found), DEEPER


def _verdict(verdict: Verdict) -> Styled:
    line = f"  {verdict.grade.value:9} {verdict.question:{NAME_WIDTH}} {verdict.words}"
    return GRADE_STYLES[verdict.grade], line, ANSWERED


def _labelled(style: str, label: str, text: str) -> Styled:
    return style, f"  {label:{LABEL_WIDTH}} {text}", LABELLED


def _appearance(as_client: ClientReport) -> Iterator[Styled]:
    yield "bold", f"as {' '.join(filter(None, (as_client.client.name, as_client.client.version)))}:", DEEPER
    for name, text in as_client.conditions:
        yield _labelled("plain", name, text)
    for text in as_client.assumptions:
        yield _labelled("dim", "assumed", text)
    for text in as_client.remarks:
        yield _labelled("warning", "note", text)
    yield _labelled("plain" if as_client.works else "error", "would have shown", as_client.words)
    if as_client.less:
        yield _labelled("error", "less than at home", as_client.less)
    if as_client.cause:
        yield _labelled("bold", "cause", as_client.cause)
    yield "plain", "", 0


def _server(server: ServerDescription) -> Iterator[Styled]:
    yield "bold", "offers:", DEEPER
    name = " ".join(str(server.info[part]) for part in ("name", "version") if server.info.get(part))
    yield _labelled("plain", "server", f"{name or 'does not name itself'}, revision {server.revision}")
    yield _labelled("plain", "declares", ", ".join(server.capabilities) or "nothing")
    for member, items in server.lists.items():
        names = [str(item.get("name") or item.get("uri")) for item in items]
        more = f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
        pages = server.pages.get(member, 1)
        count = f"{len(items)}" if pages == 1 else f"{len(items)} on {pages} pages"
        listed = f": {', '.join(names[:SHOWN_NAMES])}{more}" if names else ""
        yield _labelled("plain", member, f"{count}{listed}")
    for member, error in server.errors.items():
        yield _labelled("error", member, f"not to be had: {error}")
    yield "plain", "", 0


def _finding(one: ProbeFinding) -> Iterator[Styled]:
    finding = one.finding
    place = f"record {finding.line} of " if finding.line is not None else ""
    style = finding.level.word if finding.level.word != "info" else "dim"
    yield style, f"  {finding.level.word}: {finding.rule}  ({place}{one.session.what})", DEEPER
    for label, text in (
        ("", finding.message),
        ("Effect: ", finding.consequence),
        ("Remedy: ", finding.remedy),
    ):
        if text:
            yield "plain", f"    {label}{text}", DEEPER


def _recordings(result: ProbeResult) -> Iterator[Styled]:
    """What each recording is of, folder by folder: a path is too long for a line of its own each."""
    folders: dict[str, list[tuple[str, str]]] = {}
    for session in result.sessions:
        if session.path:
            folder, name = os.path.split(session.path)
            folders.setdefault(folder, []).append((name, session.what))
    for folder, sessions in folders.items():
        yield "bold", f"recorded in {folder}:", DEEPER
        yield from (("dim", f"  {name}  {what}", DEEPER) for name, what in sessions)
        yield "plain", "", 0


def summary(result: ProbeResult, as_client: ClientReport | None, found: list[ProbeFinding]) -> str:
    """The whole in one sentence."""
    parts = []
    if as_client is not None and not as_client.connects:
        parts.append(f"{as_client.client.name} would have shown: {as_client.outcome.value}")
    elif as_client is not None and as_client.less:
        parts.append(f"under {as_client.client.name} it gives less than under your own conditions")
    if result.bad:
        parts.append(counted(len(result.bad), "bad answer"))
    count = sum(1 for one in found if one.counts)
    if count:
        parts.append(counted(count, "finding"))
    if result.unrecorded:
        parts.append(UNRECORDED)
    return ("; ".join(parts) if parts else "nothing is wrong with what was asked") + "."


def as_json(result: ProbeResult, as_client: ClientReport | None, found: list[ProbeFinding]) -> dict[str, Any]:
    """The result for programs."""
    server = result.server
    return {
        "ok": not (
            result.bad
            or result.unrecorded
            or any(one.counts for one in found)
            or (as_client is not None and not as_client.works)
        ),
        "client": None if as_client is None else _appearance_json(as_client),
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
        "findings": [{"recording": one.session.path, **_finding_json(one.finding)} for one in found],
        "recordings": [{"path": session.path, "what": session.what} for session in result.sessions],
    }


def _appearance_json(as_client: ClientReport) -> dict[str, Any]:
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


def _finding_json(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "level": finding.level.word,
        "line": finding.line,
        "message": finding.message,
        "consequence": finding.consequence,
        "remedy": finding.remedy,
        "subject": finding.subject,
        "design": finding.design,
    }
