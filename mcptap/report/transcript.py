"""A session as text for people: a line for each record.

       3     0.002 --> initialize #0 {"protocolVersion":"2025-11-25",…
       4     0.003 <-- initialize #0 (1.0 ms) {"protocolVersion":"2025-11-25",…
       5     0.013 <-- NOT JSON: Server ready on stdio

The record number comes first, since findings name records by it; then seconds since the start.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from rich.cells import cell_len

from mcptap.captures.open import Source
from mcptap.captures.siblings import note_sibling
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Level
from mcptap.jsontext.scanner import members
from mcptap.masking.masker import Masker
from mcptap.protocol.model.message import NOTIFICATION, REQUEST, RESPONSE, Message
from mcptap.protocol.model.request import PENDING, UNANSWERED, UNREADABLE, Request
from mcptap.protocol.model.session import Session
from mcptap.query.row import ItemRow
from mcptap.recording.format.lines import OUTLINE, TOLD
from mcptap.recording.format.model import Damaged, Event, Item, Line
from mcptap.recording.reader import State
from mcptap.report.events import event_words, is_trouble
from mcptap.report.headings import asked, heading
from mcptap.report.message_summary import message_summary
from mcptap.text.escape import decoded, visible
from mcptap.text.terminal import Terminal
from mcptap.text.units import clock, counted, date_time
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR

ARROWS = {CLIENT_TO_SERVER: "-->", SERVER_TO_CLIENT: "<--", STDERR: "err"}
EVENT_ARROW = " * "
DAMAGED_ARROW = "???"
FINDING_MARK = "!!!"

_STYLES = {CLIENT_TO_SERVER: "client", SERVER_TO_CLIENT: "server", STDERR: "stderr"}
_ENDS = {
    State.LIVE: "live",
    State.FINISHED: "finished",
    State.CRASHED: "cut off: the tap was killed, or this is a copy of a live recording",
    State.UNKNOWN: "end of the capture",
}

MANY = 20
"""So many requests without an answer are listed at the end."""

SHOWN_BYTES_A_COLUMN = 8
"""Of a line that will be cut, only so many bytes for each column are looked at."""


@dataclass(slots=True)
class Text:
    """What stands behind the arrow: the head, a mark of what is odd, the content."""

    head: str = ""
    mark: str = ""
    content: str = ""
    mark_style: str = "warning"
    content_style: str = "plain"


class Transcript:
    """Turns the items of a recording into lines of text, in their order.

    Lines are cut to the terminal's width unless `full`. `masker` is for secrets in the command line and in
    findings; what the two sides said is shown as it is. `partial`: the beginning of the session is missing.
    """

    def __init__(
        self,
        source: Source,
        terminal: Terminal,
        full: bool = False,
        masker: Masker | None = None,
        partial: bool = False,
    ) -> None:
        self.header = source.header
        self._masker = masker
        if masker is not None:
            masker.learn(source.header.argv)
        self._evidence = source.evidence
        self._path = source.path
        self._diagnosis = Diagnosis(
            source.header, timed=source.evidence.times, partial=partial, evidence=source.evidence
        )
        self.session: Session = self._diagnosis.session
        self._terminal = terminal
        self._cuts = bool(terminal.width) and not full
        self._told: set[tuple[str, str]] = set()

    def opening(self) -> list[str]:
        """The launch facts, in a few lines."""
        header, evidence = self.header, self._evidence
        argv = header.argv if self._masker is None else self._masker.argv(header.argv)
        facts = [f"{header.name}: {shlex.join(argv)}" if argv else header.name]
        if evidence.launch:
            facts.append(f"  in {header.cwd or '?'}, as {header.program or 'nothing that was found'}")
        if header.start_wall_us:
            parent = header.parent
            pid = f" (pid {parent['pid']})" if parent.get("pid") else ""
            by = f" by {parent['name']}{pid}" if parent.get("name") else ""
            facts.append(f"  started {date_time(header.start_wall_us, local=False)} UTC{by}")
        if evidence.notes:
            facts += [f"  {note}" for note in evidence.notes]
        elif evidence.unknown:
            facts.append(f"  from {evidence.origin}; not known: {', '.join(evidence.unknown)}")
        shown = [self._fitted(visible(fact)) for fact in facts]
        return [self._terminal.paint(shown[0], "bold"), *(self._terminal.paint(s, "dim") for s in shown[1:])]

    def take(self, item: Item) -> ItemRow:
        """Take the next item; returns it as a row for a filter and for `line`."""
        message = self._diagnosis.feed(item)
        words = event_words(item) if isinstance(item, Event) else ""
        return ItemRow(item, message, words)

    def end(self, state: State) -> None:
        """Nothing more will come; what was asked and still waits is unanswered, unless it is live."""
        if state is not State.LIVE:
            for request in self.session.requests.unanswered():
                request.state = UNANSWERED

    def line(self, row: ItemRow) -> str:
        """One record as a line of text, without its newline."""
        item = row.item
        if isinstance(item, Damaged):
            text = Text(mark="DAMAGED RECORD", content=f"{item.why}: {self._decoded(item.raw)}")
            return self._compose(item.number, "", DAMAGED_ARROW, "error", text)
        if isinstance(item, Event):
            style = "error" if is_trouble(item) else "event"
            text = Text(content=visible(row.words), content_style=style)
            return self._compose(item.number, self._clock(item.t_us), EVENT_ARROW, style, text)
        message = row.message
        assert message is not None
        text = self._of(message)
        if item.diverted is not None:
            self._mark_diverted(text, item, item.diverted)
        arrow, style = ARROWS[item.channel], _STYLES[item.channel]
        return self._compose(item.number, self._clock(item.t_us), arrow, style, text)

    def new_findings(self) -> list[str]:
        """What the diagnosis can say by now and did not say before, a line for each finding."""
        lines = []
        for finding in self._diagnosis.findings():
            told = (finding.rule, finding.subject)
            if finding.level == Level.INFO or finding.design or told in self._told:
                continue
            self._told.add(told)
            where = "" if finding.line is None else f" at record {finding.line}"
            head = f"{FINDING_MARK} {finding.level.word} {finding.rule}{where}:"
            message = finding.message if self._masker is None else self._masker.text(finding.message)
            text = self._fitted(f"{head} {visible(message)}")
            lines.append(self._terminal.paint(text[: len(head)], finding.level.word) + text[len(head) :])
        return lines

    @property
    def has_findings(self) -> bool:
        """Whether the diagnosis had anything to say so far."""
        return bool(self._told)

    def closing(self, state: State) -> list[str]:
        """How it ended, and which requests have no answer. What `new_findings` says afterwards is final."""
        note_sibling(self.session, self._path)
        self._diagnosis.finish(state)
        self.end(state)
        session = self.session
        between = counted(session.traffic.lines, "line")
        lasted = f" in {session.lasting(session.now_us)}" if self._evidence.times else ""
        lines = [f"{_ENDS[state]}: {between} between client and server{lasted}"]
        if lost := session.requests.in_state(UNREADABLE):
            lines.append(f"answered in a form that clients can't read: {counted(len(lost), 'request')}")
            lines += [
                f"  record {p.number}: {asked(p, self._evidence.messages)}, by record {p.answer}"
                for p in lost[:MANY]
            ]
            lines += _more(lost)
        if waiting := session.requests.in_state(PENDING, UNANSWERED):
            said = "never answered" if self._evidence.whole else "without an answer here"
            said = "waiting for an answer" if state is State.LIVE else said
            lines.append(f"{said}: {counted(len(waiting), 'request')}")
            at = ", asked at {} s" if self._evidence.times else ""
            lines += [
                f"  record {p.number}: {asked(p, self._evidence.messages)}{at.format(clock(p.t_us))}"
                for p in waiting[:MANY]
            ]
            lines += _more(waiting)
        style = "warning" if lost or (waiting and state is not State.LIVE) else "dim"
        return [self._terminal.paint(self._fitted(line), style) for line in lines]

    def _clock(self, t_us: int) -> str:
        return clock(t_us) if self._evidence.times else ""

    # --- what a line says ---------------------------------------------------------------------

    def _of(self, message: Message) -> Text:
        said = heading(message, self.session, self._evidence)
        return Text(said.head, said.mark, self._said(message), said.mark_style)

    def _said(self, message: Message) -> str:
        if message.kind in (REQUEST, NOTIFICATION):
            return self._content(message, "params")
        if message.kind == RESPONSE:
            return self._content(message, "result") if message.error is None else self._error(message)
        return self._decoded(message.line.data)

    def _error(self, message: Message) -> str:
        error = message.error
        said = error.get("message", "") if isinstance(error, dict) else None
        if isinstance(error, dict) and isinstance(error.get("code"), int) and isinstance(said, str):
            more = f" {self._member(message, 'error')}" if "data" in error else ""
            return f"{error['code']} {visible(said)}{more}"
        return self._member(message, "error")

    def _mark_diverted(self, text: Text, line: Line, cut: int) -> None:
        """Say what of a line went to stderr in place of the client."""
        if cut >= len(line.data):
            text.mark, text.content_style = "DIVERTED TO STDERR:", "plain"
        else:
            text.mark = f"{text.mark} [DIVERTED TO STDERR: {self._decoded(line.data[:cut])}]".lstrip()

    def _content(self, message: Message, member: str) -> str:
        """What a message says: its summary where lines are cut, else the member in full."""
        if message.line.known == TOLD:
            return "(told by the log)"
        if message.line.known == OUTLINE and not getattr(message, member):
            return ""  # what it said is not known
        told = message_summary(message) if self._cuts else ""
        return visible(self._shortened(told)) if told else self._member(message, member)

    def _member(self, message: Message, name: str) -> str:
        """A member of a message as it was spelled; the whole line if it can't be taken apart."""
        data = message.line.data
        found = members(data.decode(errors="replace"))
        if found is None:
            return self._decoded(data)
        return visible(self._shortened(found.get(name, "")))

    # --- how a line looks ---------------------------------------------------------------------

    def _compose(self, number: int, time: str, arrow: str, style: str, text: Text) -> str:
        paint = self._terminal.paint
        start = f"{number:>4} {time:>9} "
        pieces = [(start, "dim"), (arrow, style)]
        for piece, of in (
            (text.head, style),
            (text.mark, text.mark_style),
            (text.content, text.content_style),
        ):
            if piece:
                pieces += [(" ", "plain"), (piece, of)]
        if not self._cuts:
            return "".join(paint(piece, of) for piece, of in pieces)
        left = self._terminal.width
        shown = []
        for piece, of in pieces:
            fitted = self._terminal.fit(piece, self._terminal.width - left)
            shown.append(paint(fitted, of))
            left -= cell_len(fitted)
            if fitted != piece:
                break
        return "".join(shown)

    def _decoded(self, data: bytes) -> str:
        if self._cuts:
            data = data[: self._terminal.width * SHOWN_BYTES_A_COLUMN]
        return decoded(data)

    def _shortened(self, text: str) -> str:
        return text[: self._terminal.width * SHOWN_BYTES_A_COLUMN] if self._cuts else text

    def _fitted(self, text: str) -> str:
        return self._terminal.fit(text) if self._cuts else text


def _more(requests: list[Request]) -> list[str]:
    return [f"  and {len(requests) - MANY} more"] if len(requests) > MANY else []
