"""A probe's result as text."""

from __future__ import annotations

from collections.abc import Iterator

from mcptap.play.as_client import Appearance
from mcptap.play.offer import Offer
from mcptap.play.probe import ProbeResult
from mcptap.play.probe_findings import Found

NAME_WIDTH = 34
SHOWN_NAMES = 8


def report(result: ProbeResult, seen: Appearance | None, found: list[Found]) -> Iterator[str]:
    """The lines of the report."""
    if seen is not None:
        yield from _appearance(seen)
    for section, verdicts in result.verdicts.items():
        yield f"{section}:"
        for v in verdicts:
            yield f"  {v.grade.value:9} {v.question:{NAME_WIDTH}} {v.words}"
        yield ""
    if result.offer is not None:
        yield from _offer(result.offer)
    for f in found:
        yield f"{f.finding.level.word}: {f.finding.rule}: {f.finding.message} [{f.recorded.what}]"
        if f.finding.remedy:
            yield f"    {f.finding.remedy}"


def _appearance(seen: Appearance) -> Iterator[str]:
    yield f"as {' '.join(filter(None, (seen.client.name, seen.client.version)))}:"
    for name, text in seen.conditions:
        yield f"  {name:18} {text}"
    for text in seen.assumptions:
        yield f"  {'assumed':18} {text}"
    for text in seen.remarks:
        yield f"  {'note':18} {text}"
    tools = f": {', '.join(seen.tools)}" if seen.tools else ""
    yield f"  {'would have shown':18} {seen.shown.value}{tools} ({seen.why})"
    yield ""


def _offer(offer: Offer) -> Iterator[str]:
    yield "offers:"
    yield f"  {'server':9} {offer.info.get('name')} {offer.info.get('version')}, {offer.revision}"
    yield f"  {'declares':9} {', '.join(offer.capabilities) or 'nothing'}"
    for member, items in offer.lists.items():
        names = [str(i.get("name") or i.get("uri")) for i in items]
        more = f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
        yield f"  {member:17} {len(items):4}  {', '.join(names[:SHOWN_NAMES])}{more}"
    for member, error in offer.errors.items():
        yield f"  {member}: {error}"
    yield ""
