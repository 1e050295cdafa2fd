"""A probe's result as lines of text, each with its style and how it is to be wrapped."""

from __future__ import annotations

import os
from collections.abc import Iterator

from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.client_report import ClientReport
from mcptap.play.probe.report.findings import ProbeFinding
from mcptap.play.probe.report.judged import UNRECORDED, JudgedProbe
from mcptap.play.probe.verdict import Grade, Verdict

Styled = tuple[str, str, int]
"""A style of the terminal, a line, and the column in which it goes on where it has to be wrapped."""

NAME_WIDTH = 34
LABEL_WIDTH = 17
DEEPER, LABELLED, ANSWERED = 4, 2 + LABEL_WIDTH + 1, 2 + 9 + 1 + NAME_WIDTH + 1
"""Where lines go on: prose, texts behind a label, and what became of a question."""

SHOWN_NAMES = 12
GRADE_STYLES = {Grade.FINE: "plain", Grade.DIFFERS: "warning", Grade.BAD: "error", Grade.SKIPPED: "dim"}


def report(judged: JudgedProbe) -> Iterator[Styled]:
    """The report: as the client, the verdicts, what the server offers, the findings, the recordings."""
    result = judged.result
    if judged.as_client is not None:
        yield from _appearance(judged.as_client)
    for section, verdicts in result.verdicts.items():
        yield "bold", f"{section}:", DEEPER
        yield from (_verdict(verdict) for verdict in verdicts)
        yield "plain", "", 0
    if result.server is not None:
        yield from _server(result.server)
    protocol = [found for found in judged.findings if not found.finding.design]
    none = f"none in what was recorded; {UNRECORDED}" if result.unrecorded else "none"
    yield "bold", f"findings, as by mcptap check:{'' if protocol else f' {none}'}", DEEPER
    for one in protocol:
        yield from _finding(one, judged.is_kept)
    yield "plain", "", 0
    if len(protocol) < len(judged.findings):
        yield "bold", "tool design (fails no probe):", DEEPER
        for one in judged.findings:
            if one.finding.design:
                yield from _finding(one, judged.is_kept)
        yield "plain", "", 0
    yield from _recordings(judged)
    yield "bold", judged.summary, DEEPER


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
    yield _labelled("plain" if as_client.works else "error", as_client.lead, as_client.words)
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
        yield _labelled("warning", member, f"not to be had: {error}")
    yield "plain", "", 0


def _finding(one: ProbeFinding, is_kept: bool) -> Iterator[Styled]:
    finding = one.finding
    place = f"record {finding.line} of " if finding.line is not None and is_kept else ""
    style = finding.level.word if finding.level.word != "info" else "dim"
    yield style, f"  {finding.level.word}: {finding.rule}  ({place}{one.session.what})", DEEPER
    for label, text in (
        ("", finding.message),
        ("Effect: ", finding.consequence),
        ("Remedy: ", finding.remedy),
    ):
        if text:
            yield "plain", f"    {label}{text}", DEEPER


def _recordings(judged: JudgedProbe) -> Iterator[Styled]:
    """What each recording is of, folder by folder: a path is too long for a line of its own each."""
    if not judged.is_kept:
        return
    folders: dict[str, list[tuple[str, str]]] = {}
    for session in judged.result.sessions:
        if session.path:
            folder, name = os.path.split(session.path)
            folders.setdefault(folder, []).append((name, session.what))
    for folder, sessions in folders.items():
        yield "bold", f"recorded in {folder}:", DEEPER
        yield from (("dim", f"  {name}  {what}", DEEPER) for name, what in sessions)
        yield "plain", "", 0
