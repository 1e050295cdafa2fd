"""A probe's result as lines of text, each with the style it is to be shown in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcptap.diagnosis.finding import Finding
from mcptap.play.as_client import Appearance
from mcptap.play.offer import Offer
from mcptap.play.probe import ProbeResult
from mcptap.play.probe_findings import Found
from mcptap.play.questions import Grade, Verdict

Styled = tuple[str, str]
"""A style of the terminal and a line."""

NAME_WIDTH = 34
SHOWN_NAMES = 12
GRADE_STYLES = {Grade.FINE: "plain", Grade.DIFFERS: "warning", Grade.BAD: "error", Grade.SKIPPED: "dim"}


def report(result: ProbeResult, seen: Appearance | None, found: list[Found]) -> Iterator[Styled]:
    """The report: as the client, the verdicts, what the server offers, the findings, the recordings."""
    if seen is not None:
        yield from _appearance(seen)
    for section, verdicts in result.verdicts.items():
        yield "bold", f"{section}:"
        yield from (_verdict(verdict) for verdict in verdicts)
        yield "plain", ""
    if result.offer is not None:
        yield from _offer(result.offer)
    yield "bold", "findings, as by mcptap check:" if found else "findings, as by mcptap check: none"
    for one in found:
        yield from _finding(one)
    yield "plain", ""
    yield "bold", "recorded:"
    yield from (("dim", f"  {session.path}  {session.what}") for session in result.recorded if session.path)
    yield "plain", ""
    yield "bold", summary(result, seen, found)


def _verdict(verdict: Verdict) -> Styled:
    line = f"  {verdict.grade.value:9} {verdict.question:{NAME_WIDTH}} {verdict.words}"
    return GRADE_STYLES[verdict.grade], line


def _appearance(seen: Appearance) -> Iterator[Styled]:
    yield "bold", f"as {' '.join(filter(None, (seen.client.name, seen.client.version)))}:"
    for name, text in seen.conditions:
        yield "plain", f"  {name:17} {text}"
    for text in seen.assumptions:
        yield "dim", f"  {'assumed':17} {text}"
    for text in seen.remarks:
        yield "warning", f"  {'note':17} {text}"
    yield "plain" if seen.works else "error", f"  {'would have shown':17} {seen.words}"
    if seen.cause:
        yield "bold", f"  {'cause':17} {seen.cause}"
    yield "plain", ""


def _offer(offer: Offer) -> Iterator[Styled]:
    yield "bold", "offers:"
    name = " ".join(str(offer.info[part]) for part in ("name", "version") if offer.info.get(part))
    yield "plain", f"  {'server':17} {name or 'does not name itself'}, revision {offer.revision}"
    yield "plain", f"  {'declares':17} {', '.join(offer.capabilities) or 'nothing'}"
    for member, items in offer.lists.items():
        names = [str(item.get("name") or item.get("uri")) for item in items]
        more = f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
        pages = offer.pages.get(member, 1)
        count = f"{len(items)}" if pages == 1 else f"{len(items)} on {pages} pages"
        listed = f": {', '.join(names[:SHOWN_NAMES])}{more}" if names else ""
        yield "plain", f"  {member:17} {count}{listed}"
    for member, error in offer.errors.items():
        yield "error", f"  {member:17} not to be had: {error}"
    yield "plain", ""


def _finding(one: Found) -> Iterator[Styled]:
    finding = one.finding
    place = f"record {finding.line} of " if finding.line is not None else ""
    style = finding.level.word if finding.level.word != "info" else "dim"
    yield style, f"  {finding.level.word}: {finding.rule}  ({place}{one.recorded.what})"
    for label, text in (
        ("", finding.message),
        ("Effect: ", finding.consequence),
        ("Remedy: ", finding.remedy),
    ):
        if text:
            yield "plain", f"    {label}{text}"


def summary(result: ProbeResult, seen: Appearance | None, found: list[Found]) -> str:
    """The whole in one sentence."""
    parts = []
    if seen is not None and not seen.works:
        parts.append(f"{seen.client.name} would have shown: {seen.shown.value}")
    if result.bad:
        parts.append(f"{len(result.bad)} bad answers" if len(result.bad) > 1 else "1 bad answer")
    count = sum(1 for one in found if one.counts)
    if count:
        parts.append(f"{count} findings" if count > 1 else "1 finding")
    return ("; ".join(parts) if parts else "nothing is wrong with what was asked") + "."


def as_json(result: ProbeResult, seen: Appearance | None, found: list[Found]) -> dict[str, Any]:
    """The result for programs."""
    offer = result.offer
    return {
        "ok": not (result.bad or any(one.counts for one in found) or (seen is not None and not seen.works)),
        "client": None if seen is None else _appearance_json(seen),
        "verdicts": [
            {"section": section, "question": v.question, "grade": v.grade.value, "words": v.words}
            for section, verdicts in result.verdicts.items()
            for v in verdicts
        ],
        "server": None
        if offer is None
        else {
            "revision": offer.revision,
            "info": offer.info,
            "capabilities": offer.capabilities,
            "lists": offer.lists,
            "errors": offer.errors,
        },
        "findings": [{"recording": one.recorded.path, **_finding_json(one.finding)} for one in found],
        "recordings": [{"path": session.path, "what": session.what} for session in result.recorded],
    }


def _appearance_json(seen: Appearance) -> dict[str, Any]:
    return {
        "id": seen.client.id,
        "shown": seen.shown.value,
        "why": seen.why,
        "cause": seen.cause,
        "tools": seen.tools,
        "conditions": dict(seen.conditions),
        "assumptions": seen.assumptions,
        "remarks": seen.remarks,
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
