"""A client's script played to a fresh server: what may be sent next, and what each response belongs to.

No process, no clock, no output here. The player asks `next(now)` what to do and hands over what
comes; all times are microseconds of one clock that only goes forward.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from mcptap.play.client.client_script import (
    LISTEN,
    ClientLine,
    ClientResponse,
    ClientScript,
    Entry,
    ServerRequest,
)
from mcptap.play.client.messages import refusal
from mcptap.play.client.paired_items import messages_of
from mcptap.play.send.actions import Action, EndInput, Finish, Outcome, Pace, Send, Wait
from mcptap.play.send.recorded_responses import RecordedResponses
from mcptap.play.send.substitution import ValueSubstitution, with_id
from mcptap.protocol.model.broken import Broken
from mcptap.protocol.model.ids import Id, other_type, spell_id
from mcptap.protocol.model.message import BATCH, BLANK, MESSAGES, REQUEST, RESPONSE, Message
from mcptap.recording.format.model import Line

SETTLE_US = 250_000
"""How long to listen where no answer is due: one may come all the same (a refusal, or what a
notification sets off), and stands in the transcript where it belongs if the next line waits."""

NEVER = 1 << 62


@dataclass(slots=True)
class _Awaited:
    """A request whose answer is open."""

    message: Message
    client_line: ClientLine
    until_us: int


class Conversation:
    """The state of one play. `timeout_us` is the time that each answer may take."""

    def __init__(self, script: ClientScript, pace: Pace, timeout_us: int) -> None:
        self.outcome = Outcome()
        self._script = script
        self._pace = pace
        self._timeout_us = timeout_us
        self._in_time = f"within {timeout_us / 1e6:g} s"
        self._substitution = ValueSubstitution(
            m.line.value
            for e in script.entries
            for m in (e.messages if isinstance(e, ClientLine) else [e.message])
        )
        self._entries = deque(script.entries)
        # Not the pairing of a session: a request that is given up here is no longer waited for, and an id
        # whose response has the other type is not taken for answered, only not waited for much longer.
        self._open: dict[Id, _Awaited] = {}
        self._blocking: set[Id] = set()  # those of the open ones that hold the script up
        self._earliest = NEVER  # no open request is overdue before
        self._settle_until: int | None = None
        self._wait_for_request_until: int | None = None
        self._due_replies: list[tuple[int, bytes]] = []
        self._sent_responses: set[int] = set()  # ids of the ClientResponse objects that were given
        self._replies_to_server = RecordedResponses(script, self._substitution)
        self._origin_us: int | None = None
        self._server_gone = False
        self._input_ends = False  # with the line that was sent last, which has no newline

    @property
    def substitutes(self) -> dict[str | int, str | int]:
        """Values of the recorded server, and those of the fresh one that took their place."""
        return self._substitution.substitutes

    def next(self, now: int) -> Action:
        """What to do now. Each `Send` is given once and counts as done."""
        if self._origin_us is None:
            self._origin_us = now
        if self._server_gone:
            return self._finish()
        for place, (due, data) in enumerate(self._due_replies):
            if due <= now:
                del self._due_replies[place]
                return Send(data, is_reply=True)
        if self._input_ends:
            self._input_ends = False
            return EndInput()
        self._give_up(now)
        while True:
            held = self._held_until(now)
            if held is not None:
                return Wait(min([held, *(due for due, _ in self._due_replies)]))
            if not self._entries:
                return self._finish()
            action = self._send_entry(self._entries.popleft(), now)
            if action is not None:
                return action

    def take_line(self, line: Line, now: int) -> None:
        """Take in a line of the server's stdout."""
        for message in messages_of(line):
            if message.kind == RESPONSE and message.id is not None:
                self._take_response(message, now)
            elif message.kind == REQUEST and message.id is not None:
                self._take_request(message, now)
            elif message.kind == RESPONSE:
                self._settle_until = None  # the refusal that was waited for
            elif message.kind not in MESSAGES and message.kind not in (BATCH, BLANK):
                self.outcome.pollution.append(line)
                self._take_broken_line(line, now)

    def take_end(self) -> None:
        """The server's stdout has ended: nothing more can be answered."""
        self._server_gone = True

    # --- what the client sends ------------------------------------------------------------

    def _held_until(self, now: int) -> int | None:
        """Until when nothing of the script may go; None if the next line may."""
        awaited = [self._earliest] if self._blocking else []
        settle = [] if self._settle_until is None else [self._settle_until]
        asked = [] if self._wait_for_request_until is None else [self._wait_for_request_until]
        if not self._entries:
            until = awaited + settle + [due for due, _ in self._due_replies]
            if self._pace is Pace.RECORDED:
                until.append(self._due(self._script.end_us))
        elif self._pace is Pace.ANSWERED:
            until = awaited + settle + asked
        elif self._pace is Pace.SEEN:
            until = self._responses_known_before(self._entries[0]) + asked
        elif self._pace is Pace.RECORDED:
            until = [self._due(_line_of(self._entries[0]).t_us), *self._sources_of(self._entries[0])]
        else:
            until = []
        return min((t for t in until if t > now), default=None)

    def _due(self, recorded_us: int) -> int:
        """When what was recorded at this time is due here."""
        return (self._origin_us or 0) + recorded_us - self._script.start_us

    def _responses_known_before(self, entry: Entry) -> list[int]:
        """Until when to wait for the answers that the recorded client had when it sent this."""
        return [
            awaited.until_us
            for key, awaited in self._open.items()
            if (answer := awaited.client_line.responses.get(key)) is not None
            and answer.number < _line_of(entry).number
        ]

    def _sources_of(self, entry: Entry) -> list[int]:
        """Until when to wait for answers whose values this line hands back."""
        messages = entry.messages if isinstance(entry, ClientLine) else [entry.message]
        values = [message.line.value for message in messages]
        return [
            awaited.until_us
            for key, awaited in self._open.items()
            if (answer := awaited.client_line.responses.get(key)) is not None
            and self._substitution.is_source_of(answer.result, values)
        ]

    def _send_entry(self, entry: Entry, now: int) -> Send | None:
        if isinstance(entry, ClientResponse):
            return self._send_recorded_response(entry, now)
        if any(self._substitution.needs_missing_value(message.line.value) for message in entry.messages):
            self.outcome.unsent.append(entry)
            self.outcome.notes.append(
                f"not sent: {_names(entry)}, since the server gave no cursor or state to go on with"
            )
            return None
        for message in entry.requests:
            assert message.id is not None
            until = now + self._timeout_us
            if message.id in entry.cancelled_after_us:
                until = min(until, now + entry.cancelled_after_us[message.id])
            self._open[message.id] = _Awaited(message, entry, until)
            self._earliest = min(self._earliest, until)
            if message.method != LISTEN:
                self._blocking.add(message.id)
        self._settle_until = None if entry.requests else now + SETTLE_US
        # A server does not see a line that goes on: only the end of its input tells it that there is no more.
        self._input_ends = not self._entries and not entry.line.eol.endswith(b"\n")
        return Send(self._substitution.apply(entry.line.raw))

    def _send_recorded_response(self, response: ClientResponse, now: int) -> Send | None:
        """A response at its place in the script: given already, or to be waited for."""
        if id(response) in self._sent_responses:
            self._wait_for_request_until = None
            return None
        if self._pace is Pace.FLOOD or (self._script.is_recorded and response.request is None):
            return self._send_response(response, response.message.line.raw)
        if self._pace is Pace.RECORDED:
            return None  # it goes when the server asks
        if self._wait_for_request_until is None:
            self._wait_for_request_until = now + self._timeout_us
        if now < self._wait_for_request_until:
            self._entries.appendleft(response)
            return None
        self._wait_for_request_until = None
        return None if self._script.is_recorded else self._send_response(response, response.message.line.raw)

    def _send_response(self, response: ClientResponse, data: bytes) -> Send:
        self._sent_responses.add(id(response))
        return Send(data)

    # --- what the server sends ------------------------------------------------------------

    def _take_response(self, message: Message, now: int) -> None:
        assert message.id is not None
        awaited = self._open.pop(message.id, None)
        if awaited is None:
            self._shorten_wait(other_type(message.id), now)
            return
        self._blocking.discard(message.id)
        recorded = awaited.client_line.responses.get(message.id)
        if recorded is not None:
            self._substitution.learn(recorded.result, message.result)

    def _take_request(self, message: Message, now: int) -> None:
        """Answer a request of the server as the recorded client did, else refuse it."""
        response = self._replies_to_server.find(message, self._sent_responses)
        if isinstance(response, ServerRequest):
            self.outcome.notes.append(f"{message.method} of the server stays unanswered, as it was recorded")
            return
        if response is None:
            self._due_replies.append((now, refusal(message)))
            return
        self._sent_responses.add(id(response))
        self._wait_for_request_until = None
        due = now + (response.after_us if self._pace is Pace.RECORDED else 0)
        for client_line in self._sent_meanwhile(response):
            self._entries.remove(client_line)
            self._due_replies.append((due, self._substitution.apply(client_line.line.raw)))
        raw = with_id(response.message.line.raw, message.line.value["id"])
        self._due_replies.append((due, self._substitution.apply(raw)))

    def _sent_meanwhile(self, response: ClientResponse) -> list[ClientLine]:
        """Notifications between the request and its response, as of progress: they mean nothing later."""
        if response.request is None or self._pace is Pace.RECORDED:
            return []
        asked, answered = response.request.message.number, response.message.number
        return [
            entry
            for entry in self._entries
            if isinstance(entry, ClientLine) and not entry.requests and asked < entry.line.number < answered
        ]

    def _take_broken_line(self, line: Line, now: int) -> None:
        """A line that is no message: if it shows an id that is waited for, no better answer will come."""
        for key in Broken(line.data).ids():
            self._shorten_wait(key, now)
            self._shorten_wait(other_type(key), now)

    def _shorten_wait(self, key: Id | None, now: int) -> None:
        awaited = self._open.get(key) if key is not None else None
        if awaited is not None:
            awaited.until_us = min(awaited.until_us, now + SETTLE_US)
            self._earliest = min(self._earliest, awaited.until_us)

    # --- what does not come --------------------------------------------------------------

    def _give_up(self, now: int) -> None:
        """Wait no longer for what is overdue."""
        if self._earliest <= now:
            for key in [key for key, awaited in self._open.items() if awaited.until_us <= now]:
                self._blocking.discard(key)
                if self._pace is Pace.ANSWERED or not self._entries:
                    self._unanswered(key, self._in_time)
            later = (awaited.until_us for awaited in self._open.values())
            self._earliest = min((until for until in later if until > now), default=NEVER)
        if self._settle_until is not None and self._settle_until <= now:
            self._settle_until = None

    def _unanswered(self, key: Id, why: str) -> None:
        awaited = self._open.pop(key)
        self._blocking.discard(key)
        if key not in awaited.client_line.cancelled_after_us and awaited.message.method != LISTEN:
            self.outcome.unanswered.append(awaited.message)
            note = f"no answer to {awaited.message.method} (id {spell_id(key)}) {why}"
            if self._pace is Pace.ANSWERED and self._overlapped(key, awaited.client_line):
                note += "; the recorded client did not wait for it either: see --pace seen"
            self.outcome.notes.append(note)

    def _overlapped(self, key: Id, client_line: ClientLine) -> bool:
        """Whether the recorded client went on before this request of its was answered."""
        answer = client_line.responses.get(key)
        return answer is not None and any(
            isinstance(entry, ClientLine) and client_line.line.number < entry.line.number < answer.number
            for entry in self._script.entries
        )

    def _finish(self) -> Finish:
        """Account for what is open, unsaid or was never asked for."""
        for key in list(self._open):
            self._unanswered(key, "before the server ended" if self._server_gone else self._in_time)
        if self._server_gone and (rest := [e for e in self._entries if isinstance(e, ClientLine)]):
            self.outcome.unsent += rest
            self.outcome.notes.append(f"not sent: {_names(*rest)}, since the server ended")
        for entry in self._script.entries:
            if isinstance(entry, ClientResponse) and id(entry) not in self._sent_responses:
                self._sent_responses.add(id(entry))
                self.outcome.unsent.append(entry)
                asked = entry.request.message.method if entry.request is not None else "that request"
                self.outcome.notes.append(f"not sent: the answer to {asked}, since the server did not ask")
        self._entries.clear()
        return Finish()


def _line_of(entry: Entry) -> Line:
    return entry.line if isinstance(entry, ClientLine) else entry.message.line


def _names(*entries: Entry) -> str:
    """Lines of the client by their methods, at most a few."""
    names = [
        message.method or message.kind for e in entries if isinstance(e, ClientLine) for message in e.messages
    ]
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
