"""Records as files to hand on: JSON Lines, or Markdown for a bug report, with secrets masked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from mcptap import __version__
from mcptap.diagnosis.engine.finding import Finding
from mcptap.jsontext.tree import Object, dumps, parse
from mcptap.recording.format.model import Event, Header, Line
from mcptap.text.escape import visible_json
from mcptap.text.units import duration, elapsed
from mcptap.tui.export.masking import Masker
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import ANSWERS
from mcptap.tui.index.loaded import load
from mcptap.tui.index.rows import ARROWS, POLLUTION, event_words, make_row
from mcptap.tui.widgets.text import visible, visible_bytes

FENCE_LIMIT = 4000
"""Characters of one message in a Markdown report."""


def as_jsonl(index: RecordIndex, records: Iterable[int], masker: Masker) -> Iterator[str]:
    """The records as lines of a recording, header first. Raises OSError.

    Masked text is not exact any more, so the header gets a note that says so.
    """
    chosen = sorted({0, *records})
    lines = []
    for i in chosen:
        raw = index.read(i)
        try:
            value = masker.value(parse(raw))
        except ValueError:
            lines.append(visible(masker.text(raw.decode(errors="replace").rstrip("\n"))))
            continue
        if i == 0 and isinstance(value, Object):
            # What is masked may not be run unasked, so it can't pass for what this installation wrote.
            value = Object((name, item) for name, item in value if name != "check")
        lines.append(visible_json(dumps(value)))
    if lines and lines[0].endswith("}"):
        note = {"by": f"mcptap {__version__}", "records": len(chosen) - 1, "masked": dict(masker.masked)}
        lines[0] = lines[0][:-1] + ',"export":' + visible_json(json.dumps(note, ensure_ascii=False)) + "}"
    yield from (line + "\n" for line in lines)


def as_markdown(
    index: RecordIndex,
    records: Iterable[int],
    masker: Masker,
    verdict: str = "",
    findings: Iterable[Finding] = (),
) -> str:
    """The records as a bug report. Raises OSError."""
    header = load(index, 0).record
    out = [f"## {masker.text(visible(header.name)) if isinstance(header, Header) else 'A session'}", ""]
    if isinstance(header, Header):
        command = " ".join(header.argv)
        out += [f"- command: `{masker.text(visible(command))}`"]
        by, on = header.fields.get("version", "?"), header.fields.get("platform", "?")
        out += [f"- recorded by {masker.text(visible(f'mcptap {by} on {on}'))}"]
    if verdict:
        out += ["", f"> {masker.text(visible(verdict))}"]
    said = [f"- **{f.rule}** ({f.level.word}): {masker.text(visible(f.message))}" for f in findings]
    if said:
        out += ["", "### Findings", "", *said]
    out += ["", "### Records", ""]
    for i in sorted(set(records)):
        out += _record(index, i, masker)
    masked = masker.words()
    out += ["", f"Masked: {masked}." if masked else "Nothing looked like a secret; nothing was masked."]
    return "\n".join(out) + "\n"


def _record(index: RecordIndex, i: int, masker: Masker) -> list[str]:
    loaded = load(index, i)
    record = loaded.record
    row = make_row(index, i)
    when = elapsed(row.t_us)
    if isinstance(record, Line):
        latency = index.latency(i) if i < index.described and index.kinds[i] in ANSWERS else None
        took = f" after {duration(latency)}" if latency is not None else ""
        arrow = ARROWS.get(record.channel, "·") + (f" {POLLUTION}" if row.glyph == POLLUTION else "")
        what = " ".join(word for word in (row.method, row.name) if word)
        head = f"**{i + 1}** `{when}` {arrow} {masker.text(visible(what))}{took}"
        if loaded.tree is not None:
            body, language = visible_json(dumps(masker.value(loaded.tree.value), 2)), "json"
        else:
            body, language = masker.text(visible_bytes(loaded.data).replace("␊", "\n")), "text"
    else:
        head = f"**{i + 1}** `{when}` · {row.method}"
        if not isinstance(record, Event):
            return [head, ""]
        body, language = masker.text(event_words(record)), "text"
    if len(body) > FENCE_LIMIT:
        body = f"{body[:FENCE_LIMIT]}\n… {len(body) - FENCE_LIMIT:,} more characters"
    fence = "```"
    while fence in body:
        fence += "`"
    return [head, "", f"{fence}{language}", body, fence, ""]


def plain_text(index: RecordIndex, i: int) -> str:
    """One record for the clipboard or an editor: pretty JSON, or its visible text. Raises OSError."""
    loaded = load(index, i)
    if loaded.tree is not None:
        return visible_json(dumps(loaded.tree.value, 2))
    record = loaded.record
    if isinstance(record, Event):
        return event_words(record)
    try:
        return visible_json(dumps(parse(loaded.data), 2))
    except ValueError:
        return visible_bytes(loaded.data)
