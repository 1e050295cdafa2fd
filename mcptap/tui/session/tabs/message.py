"""The message under the cursor and its other half, or a finding in full."""

from __future__ import annotations

from mcptap.recording.format.model import Damaged, Event, Line, Part
from mcptap.text.enumeration import listed
from mcptap.text.units import duration, elapsed, size, wall_clock
from mcptap.tui.index.folding.begun import begun_line
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import ANSWERS, Kind, State
from mcptap.tui.index.loaded import Loaded
from mcptap.tui.index.rows import event_words, unreadable_answer
from mcptap.tui.session.tabs.finding import finding_lines, finding_page
from mcptap.tui.session.tabs.launch import launch_page
from mcptap.tui.session.tabs.stderr_run import run_page
from mcptap.tui.session.tabs.tab import Page, Tab, View, no_record
from mcptap.tui.widgets.document import Line as TextLine
from mcptap.tui.widgets.document import Piece, paragraph, rule, text_line
from mcptap.tui.widgets.document import pairs as table
from mcptap.tui.widgets.text import visible, visible_bytes

TEXT_SHOWN = 20_000
"""Characters shown of a line that is not JSON."""

CHANNELS = {"c2s": "client → server (stdin)", "s2c": "server → client (stdout)", "stderr": "server's stderr"}


class MessageTab(Tab):
    """The record under the cursor, with its findings and its other half; or a finding."""

    name = "message"
    key = "1"
    help = "detail: the message and its other half"
    about_record = True

    def render(self, view: View) -> Page:
        """A finding if one was chosen, else the record; of the first one, the launch."""
        if view.finding is not None:
            return Page([*_when(view), *finding_page(view.finding, view.width)])
        loaded = view.record
        if loaded is None:
            return no_record(view)
        if view.run is not None:
            return Page(run_page(view.index, view.run, view.width))
        found = _findings(view, loaded)
        if loaded.index == 0:
            page = launch_page(view.index, view.width)
            return Page([*found, text_line(""), *page.lines] if found else page.lines)
        state = view.index.state(loaded.index, view.now)
        way = view.other_way
        return Page(message_lines(view.index, loaded, view.other, view.width, state, found, view.now, way))


def _findings(view: View, loaded: Loaded) -> list[TextLine]:
    """The findings that point at the record, and at its other half."""
    if view.judgement is None:
        return []
    found = view.judgement.of_record(loaded.number)
    if isinstance(loaded.record, Part) and loaded.index < view.index.described:
        # Of a line that never ended its last part is named.
        last = view.index.lines.last_part(view.index.lines.row_of(loaded.index))
        found += [f for f in view.judgement.of_record(last + 1) if f not in found]
    if view.other is not None:
        found += [f for f in view.judgement.of_record(view.other.number) if f not in found]
    lines = [line for finding in found for line in finding_lines(finding, view.width, of_record=True)]
    return [*_when(view), *lines] if lines else []


def _when(view: View) -> list[TextLine]:
    return [text_line(f"{view.when.capitalize()}:", "dim")] if view.when else []


def message_lines(
    index: RecordIndex,
    loaded: Loaded,
    other: Loaded | None,
    columns: int,
    state: State,
    findings: list[TextLine],
    now: int | None = None,
    other_way: str = "",
) -> list[TextLine]:
    """The lines of a record and of its other half, with those of the findings that point at it."""
    lines = [*findings, text_line("")] if findings else []
    lines.append(_title(index, loaded))
    lines += table(_facts(index, loaded, state, now), columns)
    lines.append(text_line(""))
    lines += _body(loaded, columns)
    if other is not None:
        lines.append(text_line(""))
        lines.append(_other_title(index, loaded, other, other_way))
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
        what = "message" if loaded.data.lstrip()[:1] in (b"{", b"[") else "line"
        return rule(f"part of a {what}", "title", "bytes that went on before their line ended")
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
        answer = unreadable_answer(index, i)
        if answer:
            return [(answer, "pollution")]
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


def _other_title(index: RecordIndex, loaded: Loaded, other: Loaded, other_way: str) -> TextLine:
    latency = index.latency(loaded.index)  # the other half is shown only once it has come
    after = f" after {index.took(latency)}" if latency is not None else ""
    match index.kinds[loaded.index]:
        case Kind.REQUEST:
            word = f"answer{after}"
        case Kind.NOTIFICATION:
            word = "the request that it cancels"
        case _:
            word = f"the request, answered{after}"
    channel = other.record.channel if isinstance(other.record, Line) else ""
    where = f"   record {other.number:,}" + (f" · {other_way}" if other_way else "")
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


def _facts(index: RecordIndex, loaded: Loaded, state: State, now: int | None) -> list[tuple[str, str]]:
    record = loaded.record
    rows: list[tuple[str, str]] = []
    at = ""
    if isinstance(record, Line | Part | Event):
        at = f" · {elapsed(record.t_us, 6)}" + (f" · {wall_clock(record.wall_us)}" if record.wall_us else "")
    rows.append(("record", f"{loaded.number:,}{at}"))
    if isinstance(record, Part) and loaded.index < index.described:
        begun = begun_line(index, index.lines.first_part(loaded.index) or loaded.index, now)
        rows.append(("wire", f"{CHANNELS[record.channel]} · {begun.words}"))
    if isinstance(record, Line):
        said = size(loaded.total)
        end = {b"\n": "", b"\r\n": " · ends with CR LF", b"": " · no newline at the end"}[record.eol]
        first = record.t_us - record.first_us
        delay = f" · first byte {duration(first)} before the last" if first else ""
        if record.diverted is not None:
            all_of_it = record.diverted >= len(record.data)
            what = "all of it" if all_of_it else f"the first {size(record.diverted)}"
            rows.append(("diverted", f"{what} went to stderr in place of the client (--divert)"))
        rows.append(("wire", f"{CHANNELS[record.channel]} · {said}{end}{delay}"))
        asked = index.unreadably_answered(loaded.index)
        if asked:
            numbers = listed([f"{i + 1:,}" for i in asked])
            word = "records" if len(asked) > 1 else "record"
            rows.append(("state", f"answers {word} {numbers} in a form that clients can't read"))
        if state in STATES:
            rows.append(("state", _state(index, loaded.index, state)))
    return rows


def _state(index: RecordIndex, i: int, state: State) -> str:
    """What became of it, in words."""
    if state == State.PENDING and index.is_cut:
        return "no answer up to where the recording breaks off"
    other = index.partner(i)
    if state == State.UNREADABLE and index.kinds[i] == Kind.REQUEST and other is not None:
        return f"answered in record {other + 1:,}, unreadable for clients"
    latency = index.latency(i)
    took = f" in {index.took(latency)}" if latency is not None and state == State.ANSWERED else ""
    return STATES[state] + took


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
