"""What changed between two probes of the same server: what it offers, answers and gets wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcptap.jsontext.diff import differences
from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.client_report import ClientReport
from mcptap.play.probe.report.findings import ProbeFinding
from mcptap.play.probe.report.judged import JudgedProbe
from mcptap.play.probe.result import ProbeResult
from mcptap.play.probe.verdict import Grade, Verdict
from mcptap.protocol.revisions.names import ITEM_NAMES, LISTS
from mcptap.text.enumeration import listed

Styled = tuple[str, str]
"""A style of the terminal and a line."""

BETTER, WORSE, OTHER = "server", "error", "warning"


def changes(before: JudgedProbe, now: JudgedProbe) -> Iterator[Styled]:
    """The lines of what changed; none if nothing did."""
    if before.as_client is not None and now.as_client is not None:
        yield from _client(before.as_client, now.as_client)
    yield from _verdicts(_by_question(before.result), _by_question(now.result))
    yield from _server(before.result.server, now.result.server)
    yield from _findings(_by_rule(before.findings), _by_rule(now.findings))


def _client(before: ClientReport, now: ClientReport) -> Iterator[Styled]:
    if before.words != now.words:
        style = WORSE if before.works and not now.works else BETTER if now.works else OTHER
        yield style, f"~ as {now.client.name}: {before.words} → {now.words}"


def _by_question(result: ProbeResult) -> dict[str, Verdict]:
    return {
        f"{section}: {verdict.question}": verdict
        for section, verdicts in result.verdicts.items()
        for verdict in verdicts
    }


def _verdicts(before: Mapping[str, Verdict], now: Mapping[str, Verdict]) -> Iterator[Styled]:
    """Answers that are judged otherwise; of those to the letter the words may differ each time."""
    for question, verdict in now.items():
        old = before.get(question)
        if old is None:
            if verdict.grade is not Grade.SKIPPED:
                yield _style(verdict.grade), f"+ {question}: {_told(verdict)}"
        elif old.grade is not verdict.grade or (
            verdict.grade in (Grade.BAD, Grade.DIFFERS) and old.words != verdict.words
        ):
            yield _style(verdict.grade), f"~ {question}: {_told(old)} → {_told(verdict)}"
    for question, verdict in before.items():
        if question not in now and verdict.grade is not Grade.SKIPPED:
            yield OTHER, f"- {question} (was {_told(verdict)})"


def _style(grade: Grade) -> str:
    return {Grade.BAD: WORSE, Grade.FINE: BETTER}.get(grade, OTHER)


def _told(verdict: Verdict) -> str:
    return f"{verdict.grade.value}, {verdict.words}"


def _server(before: ServerDescription | None, now: ServerDescription | None) -> Iterator[Styled]:
    old, new = before or ServerDescription(), now or ServerDescription()
    for name, was, becomes in (
        ("revision", old.revision, new.revision),
        ("name", str(old.info.get("name", "")), str(new.info.get("name", ""))),
        ("version", str(old.info.get("version", "")), str(new.info.get("version", ""))),
        ("capabilities", ", ".join(old.capabilities), ", ".join(new.capabilities)),
    ):
        if was != becomes:
            yield OTHER, f"~ {name}: {was or 'none'} → {becomes or 'none'}"
    for method, member in LISTS.items():
        yield from _items(
            member, _named(old, member, ITEM_NAMES[method]), _named(new, member, ITEM_NAMES[method])
        )


def _named(server: ServerDescription, member: str, naming: str) -> dict[str, Any]:
    return {str(item.get(naming)): item for item in server.lists.get(member, [])}


def _items(member: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Styled]:
    came = [name for name in now if name not in before]
    went = [name for name in before if name not in now]
    if came:
        yield BETTER, f"+ {member}: {listed(came)}"
    if went:
        yield OTHER, f"- {member}: {listed(went)}"
    for name, item in now.items():
        if name in before and item != before[name]:
            paths = [change.path for change in differences(before[name], item)]
            yield OTHER, f"~ {member}: {name} has another {listed(paths)}"


def _by_rule(found: list[ProbeFinding]) -> dict[tuple[str, str], ProbeFinding]:
    return {(one.finding.rule, one.finding.subject): one for one in found}


def _findings(
    before: Mapping[tuple[str, str], ProbeFinding], now: Mapping[tuple[str, str], ProbeFinding]
) -> Iterator[Styled]:
    for key, one in now.items():
        if key not in before:
            style = WORSE if one.counts else OTHER
            yield style, f"+ {one.finding.level.word}: {one.finding.rule}: {one.finding.message}"
    for key, one in before.items():
        if key not in now:
            yield BETTER, f"- {one.finding.level.word}: {one.finding.rule} {one.finding.subject}".rstrip()
