"""Records as files to hand on: JSON Lines, or Markdown for a bug report, with secrets masked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from mcptap import __version__
from mcptap.diagnosis.engine.finding import Finding
from mcptap.jsontext.tree import Number, Object, dumps, parse
from mcptap.masking.masker import Masker
from mcptap.recording.format.content import NAMES, Codec
from mcptap.recording.format.model import Event, Header, Line, Part
from mcptap.text.escape import visible_json
from mcptap.text.units import elapsed
from mcptap.tui.export.aside import MESSAGE, made_of
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import ANSWERS
from mcptap.tui.index.loaded import load, whole_line
from mcptap.tui.index.rows import ARROWS, POLLUTION, event_words, make_row
from mcptap.tui.widgets.text import visible, visible_bytes

FENCE_LIMIT = 4000
"""Characters of one message in a Markdown report of many; one that is reported alone, or with its other half,
stands there whole."""


def as_jsonl(index: RecordIndex, records: Iterable[int], masker: Masker) -> Iterator[str]:
    """The records as lines of a recording, header first. Raises OSError.

    A line that stands in parts comes as one record, whichever of them was chosen: a secret may begin in one
    and end in the next. Masked text is not exact any more, so the header gets a note that says so.
    """
    _learn(index, masker)
    chosen = sorted({0, *records})
    lines: dict[int, str] = {}
    for i in chosen:
        whole = whole_line(index, i) if i else None
        if whole is None:
            lines[i] = _other(index.read(i).rstrip(b"\n"), masker, is_header=i == 0)
            continue
        record, data = whole
        end = record.number - 1
        if end not in lines:
            cut = (record.diverted or 0) if isinstance(record, Line) else 0
            before, behind = (masker.line(record.channel, piece) for piece in (data[:cut], data[cut:]))
            lines[end] = _line(index.read(end), record, data, before + behind, len(before))
    done = [lines[i] for i in sorted(lines)]
    if done[0].endswith("}"):
        note = {"by": f"mcptap {__version__}", "records": len(done) - 1, "masked": dict(masker.masked)}
        done[0] = done[0][:-1] + ',"export":' + visible_json(json.dumps(note, ensure_ascii=False)) + "}"
    yield from (line + "\n" for line in done)


def _other(raw: bytes, masker: Masker, is_header: bool) -> str:
    """A record of no line. What is masked may not be run unasked: it can't pass for what was made here."""
    try:
        value = masker.value(parse(raw))
    except ValueError:
        return visible(masker.text(raw.decode(errors="replace")))
    if is_header and isinstance(value, Object):
        value = Object((name, item) for name, item in value if name != "check")
    return visible_json(dumps(value))


def _line(raw: bytes, record: Line | Part, data: bytes, masked: bytes, cut: int) -> str:
    """The record of a line with other content: as it is in the file if that is the same.

    `cut`: so many bytes of it were diverted, if any were.
    """
    if masked == data == record.data:
        return visible_json(raw.decode(errors="replace").rstrip("\n"))
    anew = {"at", "from", "diverted", *NAMES}
    kept = Object((name, value) for name, value in parse(raw) if name not in anew)
    if isinstance(record, Part):
        kept.append(("at", Number(0)))
        field = Codec().plain_field(masked)
    else:
        if record.diverted is not None:
            kept.append(("diverted", Number(cut)))
        codec = Codec()
        field = codec.field(masked, codec.parse(masked))
    return visible_json(f"{dumps(kept)[:-1]},{field.decode()}}}")


def _learn(index: RecordIndex, masker: Masker) -> None:
    header = load(index, 0).record
    if isinstance(header, Header):
        masker.learn(header.argv)


def as_markdown(
    index: RecordIndex,
    records: Iterable[int],
    masker: Masker,
    verdict: str = "",
    findings: Iterable[Finding] = (),
) -> str:
    """The records as a bug report. Raises OSError."""
    _learn(index, masker)
    header = load(index, 0).record
    out = [f"## {visible(masker.text(header.name)) if isinstance(header, Header) else 'A session'}", ""]
    if isinstance(header, Header):
        out += [f"- command: `{visible(' '.join(masker.argv(header.argv)))}`"]
        by, on = header.fields.get("version", "?"), header.fields.get("platform", "?")
        out += [f"- recorded by {masker.text(visible(f'mcptap {by} on {on}'))}"]
    chosen = sorted(set(records))
    limit = FENCE_LIMIT if len(chosen) > 2 else None
    # First the records: what is masked in them is known in the sentences that quote them.
    shown = [line for i in chosen for line in _record(index, i, masker, limit)]
    if verdict:
        out += ["", f"> {visible(masker.quotation(verdict))}"]
    said = [f"- **{f.rule}** ({f.level.word}): {visible(masker.quotation(f.message))}" for f in findings]
    if said:
        out += ["", "### Findings", "", *said]
    out += ["", "### Records", "", *shown]
    masked = masker.words()
    out += ["", f"Masked: {masked}." if masked else "Nothing looked like a secret; nothing was masked."]
    return "\n".join(out) + "\n"


def _record(index: RecordIndex, i: int, masker: Masker, limit: int | None) -> list[str]:
    loaded = load(index, i)
    record = loaded.record
    data = loaded.data
    if isinstance(record, Line) and not loaded.is_whole:
        whole = whole_line(index, i)
        data = whole[1] if whole is not None else data
    row = make_row(index, i)
    when = elapsed(row.t_us)
    if isinstance(record, Line):
        latency = index.latency(i) if i < index.described and index.kinds[i] in ANSWERS else None
        took = f" after {index.took(latency)}" if latency is not None else ""
        arrow = ARROWS.get(record.channel, "·") + (f" {POLLUTION}" if row.glyph == POLLUTION else "")
        what = row.answers or " ".join(word for word in (row.method, row.name) if word)
        head = f"**{i + 1}** `{when}` {arrow} {masker.text(visible(what))}{took}"
        masked = masker.line(record.channel, data)
        if loaded.tree is not None:
            # Masked as bytes: a long line then is in a process of its own.
            body, language = _indented(masked), "json"
        else:
            body, language = visible_bytes(masked).replace("␊", "\n"), "text"
    else:
        head = f"**{i + 1}** `{when}` · {row.method}"
        if not isinstance(record, Event):
            return [head, ""]
        body, language = masker.text(event_words(record)), "text"
    if limit is not None and len(body) > limit:
        left = f"{len(body) - limit:,} of {len(body):,} characters are left out here"
        body = f"{body[:limit]}\n… {left}: an export of record {i + 1} alone, or as JSON Lines, has them"
    fence = "```"
    while fence in body:
        fence += "`"
    return [head, "", f"{fence}{language}", body, fence, ""]


def _indented(data: bytes) -> str:
    """JSON over lines; what is none as its visible bytes."""
    try:
        return visible_json(dumps(parse(data), 2))
    except ValueError:
        return visible_bytes(data)


def plain_text(index: RecordIndex, i: int, masker: Masker | None = None) -> str:
    """One record for the clipboard or an editor: pretty JSON, or its visible text, whole. Raises OSError."""
    if masker is not None:
        _learn(index, masker)
    whole = whole_line(index, i) if i else None
    if whole is None:
        loaded = load(index, i)
        if isinstance(loaded.record, Event):
            words = event_words(loaded.record)
            return words if masker is None else masker.text(words)
        data = index.read(i).rstrip(b"\n")
    else:
        data = whole[1]
    if masker is not None:
        return made_of(MESSAGE, data, masker)
    return _indented(data)


def run_text(index: RecordIndex, records: Iterable[int], masker: Masker | None = None) -> str:
    """Lines of stderr as one text; without a masker exactly as on the wire. Raises OSError."""
    whole = [line for line in (whole_line(index, i) for i in records) if line is not None]
    if masker is None:
        return b"".join(
            data + (record.eol if isinstance(record, Line) else b"") for record, data in whole
        ).decode(errors="backslashreplace")
    _learn(index, masker)
    # What is secret may stand in the line behind the one that says so.
    text = b"\n".join(data for _, data in whole)
    return visible_bytes(masker.line("stderr", text)).replace("␊", "\n")
