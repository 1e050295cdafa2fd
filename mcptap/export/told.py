"""What the forms of an export tell alike, in words: versions, what was masked, what was left out."""

from __future__ import annotations

from collections.abc import Iterator

from mcptap import __version__
from mcptap.captures.evidence import Evidence, is_capture
from mcptap.diagnosis.engine.finding import Finding
from mcptap.export.entry import ARROWS, Entry
from mcptap.export.session import Shown
from mcptap.masking.masker import Masker
from mcptap.protocol.model.request import ANSWERED, CANCELLED, ERROR, IS_ERROR, UNREADABLE, Request
from mcptap.report.formats.text import SHOWN_RECORDS, facts
from mcptap.report.results import CheckedFile
from mcptap.text.escape import visible
from mcptap.text.units import clock, counted, duration

_BECAME = {
    ANSWERED: "",
    ERROR: "error",
    IS_ERROR: "isError",
    UNREADABLE: "unreadable answer",
    CANCELLED: "cancelled",
}


def name_of(checked: CheckedFile) -> str:
    """The server's name, visible."""
    return visible(checked.header.name)


def launch_facts(checked: CheckedFile) -> list[tuple[str, str]]:
    """How the server was started and what became of it; of the file its name alone."""
    return [
        (name, text.replace("\\", "/").rpartition("/")[2] if name == "file" else text)
        for name, text in facts(checked)
    ]


def versions(checked: CheckedFile) -> str:
    """Which mcptap judged, and which one recorded, on what."""
    fields = checked.header.fields
    judged = f"judged by mcptap {__version__}"
    if is_capture(checked.evidence):
        return f"{judged}; read as {checked.evidence.origin}"
    by, on, python = (str(fields.get(name) or "?") for name in ("version", "platform", "python"))
    return visible(f"{judged}; recorded by mcptap {by} on {on}, Python {python}")


def masked_words(masker: Masker | None) -> str:
    """What became of secrets, as a sentence."""
    if masker is None:
        return "Secrets were not masked (--unmasked): look through this before you pass it on."
    words = masker.words()
    if not words:
        return "Nothing looked like a secret, so nothing was masked; look through this before you pass it on."
    return f"Masked, equal values alike: {words}. Look through this before you pass it on."


def scope_words(shown: Shown, listed: int) -> str:
    """How much of the records is shown, and how much was judged, as sentences."""
    said = []
    if shown.matching is not None:
        said.append(f"{shown.matching:,} of {counted(shown.total, 'record')} match the filter.")
    if listed < (shown.total if shown.matching is None else shown.matching):
        said.append(
            f"{counted(listed, 'record')} of {shown.total:,} {'is' if listed == 1 else 'are'} here; the "
            "others were left out."
        )
    if shown.unjudged:
        said.append(
            f"{counted(shown.unjudged, 'record')} in the middle took no part in the verdict: mcptap check "
            "judges them all."
        )
    return " ".join(said)


def place(finding: Finding) -> str:
    """Where to look."""
    if finding.line is None and not finding.records:
        return ""
    records = finding.records or [finding.line or 0]
    shown = ", ".join(map(str, records[:SHOWN_RECORDS]))
    more = max(finding.count, len(records)) - len(records[:SHOWN_RECORDS])
    return f"record{'s' if more > 0 or len(records) > 1 else ''} {shown}" + (
        f" and {more:,} more" if more > 0 else ""
    )


def became(request: Request, evidence: Evidence) -> str:
    """What became of a request: how long its answer took, or that none came."""
    if request.answer is None:
        return _BECAME[CANCELLED] if request.state is CANCELLED else "no answer"
    took = "answered"
    if evidence.times:
        took = duration(request.latency_us or 0, fineness_us=evidence.fineness_us)
    return " ".join(filter(None, (took, _BECAME.get(request.state, ""))))


def transcript_lines(entries: list[Entry], has_times: bool, width: int) -> Iterator[str]:
    """A line for each record, cut to so many characters; a line that says so where records are left out."""
    before = None
    for entry in entries:
        if before is not None and entry.number - before > 1:
            yield f"      … {counted(entry.number - before - 1, 'record')} left out"
        before = entry.number
        yield line_of(entry, has_times, width)


def line_of(entry: Entry, has_times: bool, width: int) -> str:
    """A record in one line of text."""
    time = clock(entry.gist.t_us) if has_times else ""
    words = " ".join(filter(None, (entry.head, entry.mark, entry.line)))
    line = f"{entry.number:>5} {time:>9} {ARROWS[entry.gist.lane]} {words}"
    return line if len(line) <= width else line[: width - 1] + "…"
