"""One record as the cells of a timeline row: plain text, safe for a terminal, nothing about colours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import orjson

from mcptap.protocol.model.message import classify
from mcptap.recording import made_here
from mcptap.recording.format.decode import decode_record
from mcptap.recording.format.model import NOT_JSON, Damaged, Event, Header, Line, Part, Record
from mcptap.report import events
from mcptap.text.units import counted
from mcptap.tui.index.describer import kind_of, subject
from mcptap.tui.index.folding.beginning import Beginning
from mcptap.tui.index.folding.begun import begun_line, data_of
from mcptap.tui.index.folding.run_text import telling_line
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import CHANNEL_OF, Kind
from mcptap.tui.widgets.text import visible, visible_bytes

ROW_LIMIT = 1 << 16
"""A record of more bytes is not decoded for the sake of a row: its first bytes must do."""

EXCERPT = 400
"""Characters of a message that are taken into a row."""

ARROWS = {"c2s": "→", "s2c": "←", "stderr": "!", "": "·"}
POLLUTION = "▒"
BAD = "✗"


@dataclass(frozen=True, slots=True)
class Row:
    """What a row says. `method` is the dim word, `name` the bright one (a tool, an event)."""

    glyph: str
    channel: str
    kind: Kind
    method: str
    name: str
    id: str
    excerpt: str
    t_us: int
    answers: str = ""
    """Whose answer it is, of a line that is no response and answers a request all the same."""


def make_row(index: RecordIndex, i: int, now: int | None = None) -> Row:
    """The row of the record at this index, as of the record at `now`. Raises OSError if it can't be read."""
    if i < index.described and index.kinds[i] == Kind.PART:
        return begun_row(index, i, now)
    row = _make_row(index, i)
    answers = unreadable_answer(index, i)
    return replace(row, answers=answers) if answers else row


def unreadable_answer(index: RecordIndex, i: int) -> str:
    """Whose answer a line is although it is no response (`unreadable answer to forecast`); else nothing."""
    asked = index.unreadably_answered(i)
    if not asked:
        return ""
    first, more = asked[0], len(asked) - 1
    what = visible(index.name(index.tools[first]) or index.name(index.methods[first])) or "a request"
    return f"unreadable answers to {what} and {more:,} more" if more else f"unreadable answer to {what}"


def _make_row(index: RecordIndex, i: int) -> Row:
    number = i + 1
    raw = index.read(i, ROW_LIMIT)
    whole = len(raw) == index.length(i)
    known = i < index.described
    method = index.name(index.methods[i]) if known else ""
    tool = index.name(index.tools[i]) if known else ""
    if not whole:
        return _long_row(index, i, raw, method, tool)
    record: Record
    if number == 1:
        fields = _loads(raw)
        record = Header(fields if isinstance(fields, dict) else {})
    else:
        record = decode_record(raw, number)
    if isinstance(record, Line):
        if record.offset:
            return _long_row(index, i, raw, method, tool)
        kind = Kind(index.kinds[i]) if known else kind_of(classify(record))
        return line_row(record, kind, method, tool)
    return other_row(record)


def line_row(line: Line, kind: Kind, method: str = "", tool: str = "") -> Row:
    """The row of a line; `method` and `tool` are those of the request, for an answer."""
    glyph, channel, value = ARROWS[line.channel], line.channel, line.value
    name = identity = ""
    if kind == Kind.STDERR:
        excerpt = visible_bytes(line.data[:EXCERPT])
    elif kind == Kind.BLANK:
        glyph, method, excerpt = "·", "blank line", visible_bytes(line.raw)
    elif kind == Kind.BATCH:
        method, name, excerpt = "batch", f"of {len(value)}", _excerpt(value)
    elif kind == Kind.POLLUTION or not isinstance(value, dict):
        glyph, method = POLLUTION, "not JSON" if value is NOT_JSON else "no message"
        excerpt = visible_bytes(line.data[:EXCERPT])
    elif isinstance(value.get("method"), str):
        identity, method, params = _id(value), value["method"], value.get("params")
        name = subject(method, params) if kind != Kind.NOTIFICATION else ""
        excerpt = _arguments(method, params)
    else:
        identity, name = _id(value), tool
        excerpt = _error(value["error"]) if value.get("error") is not None else _result(value.get("result"))
    return Row(glyph, channel, kind, visible(method), visible(name), identity, excerpt, line.t_us)


def other_row(record: Header | Event | Part | Damaged) -> Row:
    """The row of a record that is no line."""
    if isinstance(record, Header):
        command = visible(" ".join(made_here.masker().argv(record.argv)))
        return Row("·", "", Kind.HEADER, "launch", record.name and visible(record.name), "", command, 0)
    if isinstance(record, Part):
        text = visible_bytes(record.data[:EXCERPT])
        return Row("┊", record.channel, Kind.PART, "part of a line", "", "", text, record.t_us)
    if isinstance(record, Damaged):
        text = visible_bytes(record.raw[:EXCERPT])
        return Row(BAD, "", Kind.DAMAGED, "damaged record", "", "", f"{record.why}: {text}", 0)
    channel = str(record.fields.get("ch") or "")
    return Row("·", channel, Kind.EVENT, visible(record.kind), "", "", event_words(record), record.t_us)


def event_words(event: Event) -> str:
    """What an event says, in words, safe for a terminal."""
    return visible(events.event_words(event))


def event_text(event: Event) -> str:
    """What a search looks at in an event."""
    return f"{event.kind} {event_words(event)}"


def _id(value: dict[str, Any]) -> str:
    identity = value.get("id")
    if identity is None:
        return "null" if "id" in value else ""
    return visible(identity) if isinstance(identity, str) else _excerpt(identity)


def _arguments(method: str, params: Any) -> str:
    """What distinguishes one request from another: its arguments, not its envelope."""
    if not isinstance(params, dict):
        return "" if params is None else _excerpt(params)
    if method in ("tools/call", "prompts/get"):
        return _excerpt(params.get("arguments", {}))
    if method == "initialize":
        client = params.get("clientInfo")
        name = f"{client.get('name')} {client.get('version', '')}" if isinstance(client, dict) else ""
        return visible(f"{name} · {params.get('protocolVersion', '')} · ") + _excerpt(
            params.get("capabilities")
        )
    if method == "notifications/message":
        return visible(f"{params.get('level', '')}: ") + _excerpt(params.get("data"))
    return _excerpt({k: v for k, v in params.items() if k != "_meta"}) if params else ""


def _result(result: Any) -> str:
    if isinstance(result, dict):
        content = result.get("content")
        if isinstance(content, list) and content and isinstance(content[0], dict):
            first = content[0]
            text = first.get("text")
            more = f" (+{len(content) - 1} more)" if len(content) > 1 else ""
            if isinstance(text, str):
                return visible(text[:EXCERPT].replace("\n", "⏎")) + more
            return visible(f"[{first.get('type', '?')}] {first.get('mimeType', '')}") + more
        tools = result.get("tools")
        if isinstance(tools, list):
            names = ", ".join(str(t.get("name")) for t in tools[:40] if isinstance(t, dict))
            return visible(f"{counted(len(tools), 'tool')}: {names}")
        server = result.get("serverInfo")
        if isinstance(server, dict):
            said = (
                f"{server.get('name')} {server.get('version', '')} · {result.get('protocolVersion', '')} · "
            )
            return visible(said) + _excerpt(result.get("capabilities"))
    return _excerpt(result)


def _error(error: Any) -> str:
    if isinstance(error, dict):
        data = f" · {_excerpt(error['data'])}" if error.get("data") else ""
        return visible(f"{error.get('code', '?')} {error.get('message', '')}"[:EXCERPT]) + data
    return _excerpt(error)


def _excerpt(value: Any) -> str:
    if isinstance(value, str):
        return visible(value[:EXCERPT].replace("\n", "⏎"))
    try:
        text = orjson.dumps(value).decode()
    except (TypeError, ValueError):
        text = repr(value)
    return visible(text[:EXCERPT])


def run_row(index: RecordIndex, run: range) -> Row:
    """The row of a run of stderr: how many more lines it stands for, and the one that tells most."""
    last = run.stop - 1
    more = index.folds.count(run) - 1
    text = visible(telling_line(index, run)[:EXCERPT])
    name = f"+{counted(more, 'line')}"
    return Row(ARROWS["stderr"], "stderr", Kind.STDERR, "", name, "", text, index.times[last])


def begun_row(index: RecordIndex, i: int, now: int | None = None) -> Row:
    """The row of a line that is under way, or never ended, for a part of it: what has come up to `now`."""
    first = index.lines.first_part(i)
    assert first is not None
    begun = begun_line(index, first, now)
    label = f"part of a {'message' if begun.is_message else 'line'}"
    text = f"{begun.words} · {begun.excerpt[:EXCERPT]}"
    return Row("┊", CHANNEL_OF[index.channels[first]], Kind.PART, label, "", "", text, index.times[first])


def _long_row(index: RecordIndex, i: int, raw: bytes, method: str, tool: str) -> Row:
    """A row from the first bytes of a line and from what the indexer found out."""
    known = i < index.described
    kind = Kind(index.kinds[i]) if known else Kind.EVENT
    channel = CHANNEL_OF[index.channels[i]] if known else ""
    glyph = POLLUTION if kind == Kind.POLLUTION else ARROWS[channel]
    first = index.lines.first_part(i)
    if first is not None:
        data = data_of(index, first)
    else:
        content = max(raw.find(b'"msg":') + 6, raw.find(b'"text":') + 7, raw.find(b'"b64":') + 6, 0)
        data = raw[content:]
    beginning = Beginning(data)
    t_us = index.times[i] if known else 0
    excerpt = beginning.excerpt[:EXCERPT]
    return Row(glyph, channel, kind, visible(method), visible(tool), beginning.id, excerpt, t_us)


def _loads(raw: bytes) -> Any:
    try:
        return orjson.loads(raw)
    except ValueError:
        return None
