"""One record in full: its exact bytes put together, and the lines that show it beside its other half."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from mcptap.recording.format.decode import decode_record
from mcptap.recording.format.model import Damaged, Event, Header, Line, Part, Record
from mcptap.tui.index.index import ANSWERS, Kind, RecordIndex, State, Way
from mcptap.tui.index.rows import event_words
from mcptap.tui.widgets.document import Line as TextLine
from mcptap.tui.widgets.document import Piece, paragraph, rule, text_line
from mcptap.tui.widgets.document import pairs as table
from mcptap.tui.widgets.jsontree import JsonTree, parse
from mcptap.tui.widgets.text import clock, duration, size, visible, visible_bytes

SHOWN = 1 << 20
"""Bytes of a line that are put together to be looked at."""

PARTS_BACK = 20_000
"""Records that are looked through for the parts of a long line."""

TEXT_SHOWN = 20_000
"""Characters shown of a line that is not JSON."""

CHANNELS = {"c2s": "client → server (stdin)", "s2c": "server → client (stdout)", "stderr": "server's stderr"}


@dataclass(slots=True)
class Loaded:
    """A record and the bytes of its line: `data` may be only the first of `total` bytes."""

    index: int
    record: Record
    data: bytes
    total: int
    tree: JsonTree | None = None

    @property
    def number(self) -> int:
        """The record number."""
        return self.index + 1

    @property
    def is_whole(self) -> bool:
        """Whether all bytes of the line are here."""
        return len(self.data) == self.total


def load(index: RecordIndex, i: int) -> Loaded:
    """The record at this index. Raises OSError."""
    length = index.length(i)
    raw = index.read(i, SHOWN * 2)
    if i == 0:
        return Loaded(0, _header(raw), raw, length)
    record = (
        decode_record(raw, i + 1) if len(raw) == length else Damaged(i + 1, raw, "it is too long to show")
    )
    if isinstance(record, Line):
        if record.offset:
            data = _long_line(index, record)
            return Loaded(i, record, data, record.offset + len(record.data))
        loaded = Loaded(i, record, record.data, len(record.data))
        try:
            loaded.tree = JsonTree(parse(record.data))
        except ValueError:
            pass
        return loaded
    if isinstance(record, Part):
        return Loaded(i, record, record.data, len(record.data))
    return Loaded(i, record, raw.rstrip(b"\n"), length - 1)


def _header(raw: bytes) -> Record:
    try:
        value = parse(raw)
    except ValueError:
        return Damaged(1, raw, "the header can't be read")
    return Header(_plain(value) if isinstance(value, list) else {})


def _plain(value: Any) -> Any:
    """An exact JSON value as an ordinary one."""
    from mcptap.tui.widgets.jsontree import Number, Object

    if isinstance(value, Object):
        return {key: _plain(item) for key, item in value}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, Number):
        return int(value) if value.lstrip("-").isdigit() else float(value)
    return value


def _long_line(index: RecordIndex, line: Line) -> bytes:
    """The first bytes of a line that stands in parts."""
    parts: list[bytes] = []
    way = {"c2s": Way.C2S, "s2c": Way.S2C, "stderr": Way.STDERR}[line.channel]
    first = line.number - 2
    for j in range(line.number - 2, max(0, line.number - 2 - PARTS_BACK), -1):
        if j < index.described and (index.kinds[j] != Kind.PART or index.ways[j] != way):
            continue
        head = index.read(j, 200)
        first = j
        if b'"at":0,' in head:
            break
    held = 0
    for j in range(first, line.number - 1):
        if held >= SHOWN:
            break
        if j < index.described and (index.kinds[j] != Kind.PART or index.ways[j] != way):
            continue
        record = decode_record(index.read(j), j + 1)
        if isinstance(record, Part) and record.channel == line.channel and record.at == held:
            parts.append(record.data)
            held += len(record.data)
    data = b"".join(parts)
    return data + line.data if held == line.offset else data[:SHOWN]


def message_lines(
    index: RecordIndex,
    loaded: Loaded,
    other: Loaded | None,
    columns: int,
    state: State,
    findings: list[TextLine],
) -> list[TextLine]:
    """The lines of a record and of its other half, with those of the findings that point at it."""
    lines = [_title(index, loaded)]
    lines += table(_facts(index, loaded, state), columns)
    if findings:
        lines += [text_line(""), *findings]
    lines.append(text_line(""))
    lines += _body(loaded, columns)
    if other is not None:
        lines.append(text_line(""))
        lines.append(_other_title(index, loaded, other))
        lines += _body(other, columns)
    return lines


def _title(index: RecordIndex, loaded: Loaded) -> TextLine:
    record = loaded.record
    i = loaded.index
    if isinstance(record, Line):
        pieces: list[Piece] = [_arrow(index, i, record.channel)]
        pieces += _names(index, i)
        return TextLine([*pieces, (" ", "rule")])
    if isinstance(record, Event):
        return rule(visible(record.kind), "title", event_words(record))
    if isinstance(record, Part):
        return rule("part of a line", "title", "bytes that went on before their line ended")
    if isinstance(record, Damaged):
        return rule("damaged record", "problem", record.why)
    return rule("header", "title", "how the server was started")


def _arrow(index: RecordIndex, i: int, channel: str) -> Piece:
    if i < index.described and index.kinds[i] == Kind.POLLUTION:
        return "▒ ", "pollution"
    return {"c2s": ("→ ", "client"), "s2c": ("← ", "server")}.get(channel, ("! ", "stderr"))


def _names(index: RecordIndex, i: int) -> list[Piece]:
    if i >= index.described:
        return [("record", "dim")]
    kind = index.kinds[i]
    method, tool = visible(index.name(index.methods[i])), visible(index.name(index.tools[i]))
    if kind == Kind.POLLUTION:
        return [("not a message of the protocol", "pollution")]
    if kind == Kind.STDERR:
        return [("stderr", "stderr")]
    if kind in ANSWERS:
        pieces: list[Piece] = (
            [("answer to ", "dim")] if method else [("answer to no known request", "problem")]
        )
    else:
        pieces = []
    pieces.append((method, "dim" if tool else "title"))
    if tool:
        pieces += [(" ", "dim"), (tool, "title")]
    return pieces


def _other_title(index: RecordIndex, loaded: Loaded, other: Loaded) -> TextLine:
    latency = index.latency(loaded.index)
    after = f" after {duration(latency)}" if latency is not None else ""
    kind = index.kinds[other.index]
    if kind in ANSWERS:
        word = f"answer{after}"
    elif kind == Kind.NOTIFICATION:
        word = "cancelled by"
    else:
        word = f"the request, answered{after}"
    channel = other.record.channel if isinstance(other.record, Line) else ""
    where = f"   record {other.number:,} · x goes there"
    return TextLine([_arrow(index, other.index, channel), (word, "title"), (where, "dim"), (" ", "rule")])


STATES = {
    State.PENDING: "pending: no answer so far",
    State.ANSWERED: "answered",
    State.ERROR: "answered with an error",
    State.TOOL_ERROR: "the tool failed (isError)",
    State.CANCELLED: "cancelled by the one who asked",
    State.UNANSWERED: "never answered: the session ended first",
    State.LATE: "came after the request was cancelled, so nobody waits for it",
    State.UNASKED: "answers no request that is known",
    State.REPEATED: "answers a request that was answered already",
    State.UNREADABLE: "answered in a form that clients can't read",
}


def _facts(index: RecordIndex, loaded: Loaded, state: State) -> list[tuple[str, str]]:
    record = loaded.record
    rows: list[tuple[str, str]] = []
    wall = getattr(record, "wall_us", 0)
    when = f" · {wall_clock(wall)}" if wall else ""
    t_us = getattr(record, "t_us", None)
    at = f" · {clock(t_us, 6)}{when}" if t_us is not None else ""
    rows.append(("record", f"{loaded.number:,}{at}"))
    if isinstance(record, Line):
        said = f"{size(loaded.total)} bytes" if loaded.total >= 1000 else f"{loaded.total} bytes"
        end = {b"\n": "", b"\r\n": " · ends with CR LF", b"": " · no newline at the end"}[record.eol]
        first = record.t_us - record.first_us
        delay = f" · first byte {duration(first)} before the last" if first else ""
        rows.append(("wire", f"{CHANNELS[record.channel]} · {said}{end}{delay}"))
        if state in STATES:
            latency = index.latency(loaded.index)
            took = f" in {duration(latency)}" if latency is not None and state == State.ANSWERED else ""
            rows.append(("state", STATES[state] + took))
    return rows


def wall_clock(us: int) -> str:
    """A wall-clock time in local time, to the millisecond."""
    try:
        when = datetime.fromtimestamp(us / 1_000_000, UTC).astimezone()
    except (OverflowError, OSError, ValueError):
        return "an impossible time"
    return when.strftime("%Y-%m-%d %H:%M:%S.") + f"{us // 1000 % 1000:03}"


def _body(loaded: Loaded, columns: int) -> list[TextLine]:
    record = loaded.record
    if loaded.tree is not None:
        return list(loaded.tree.lines(columns))
    if isinstance(record, Event):
        rest = {k: v for k, v in record.fields.items() if k not in ("n", "k", "t", "wall")}
        return table([(visible(k), str(v)) for k, v in rest.items()], columns)
    lines = paragraph(visible_bytes(loaded.data[:TEXT_SHOWN]), columns, "string")
    if loaded.total > TEXT_SHOWN:
        more = loaded.total - min(loaded.total, TEXT_SHOWN)
        lines.append(text_line(f"… {more:,} more bytes: V opens all in the pager", "dim"))
    return lines or [text_line("(an empty line)", "dim")]


def exact_bytes(index: RecordIndex, loaded: Loaded) -> bytes:
    """All bytes of the line with its terminator, whatever its length; of other records their JSON."""
    record = loaded.record
    if isinstance(record, Line):
        if loaded.is_whole:
            return loaded.data + record.eol
        return b"".join(_all_parts(index, record)) + record.data + record.eol
    return loaded.data if loaded.is_whole else index.read(loaded.index)


def _all_parts(index: RecordIndex, line: Line) -> list[bytes]:
    parts: list[tuple[int, bytes]] = []
    for j in range(line.number - 2, max(0, line.number - 2 - PARTS_BACK), -1):
        record = decode_record(index.read(j), j + 1) if index.kinds[j] == Kind.PART else None
        if isinstance(record, Part) and record.channel == line.channel:
            parts.append((record.at, record.data))
            if record.at == 0:
                break
    return [data for _, data in reversed(parts)]
