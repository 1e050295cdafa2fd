"""What can be asked of a session in the list: the fields of the filter language there."""

from __future__ import annotations

from mcptap.captures.summary import Summary
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.query import Field, Fields
from mcptap.query.fields import Values
from mcptap.recording import made_here
from mcptap.recording.reader import State


def _state(state: State) -> str:
    """The word for a state as one types it."""
    return state.word.replace(" ", "-")


FIELDS: Fields = {
    field.name: field
    for field in (
        Field("server", Values.PATTERN, "the server's name", "server:git*"),
        Field("client", Values.PATTERN, "the client's name, or that of its process", "client:claude*"),
        Field(
            "state",
            Values.WORD,
            "whether it is live, and how the recording ended",
            "state:live",
            tuple(map(_state, State)),
        ),
        Field("outcome", Values.WORD, "what it came to", "outcome:waiting", tuple(Outcome)),
        Field("errors", Values.COUNT, "how many errors there are", "errors:>0"),
        Field("warnings", Values.COUNT, "how many warnings there are", "warnings:>0"),
        Field("messages", Values.COUNT, "how many messages passed", "messages:>1000"),
        Field("size", Values.SIZE, "bytes of the file (b, k, m)", "size:>1m"),
        Field("length", Values.DURATION, "how long it lasted", "length:>10m", attribute="length_us"),
        Field("age", Values.DURATION, "how long ago it began (s, m, h, d)", "age:<1h", attribute="age_us"),
        Field("verdict", Values.PATTERN, "the sentence that says what it came to", "verdict:*never*"),
        Field("text", Values.TEXT, "text in server, client, command, path, state, verdict", 'text:"npx"'),
    )
}
"""All fields of sessions by name."""


class SessionRow:
    """A session as a filter sees it; `now_us` is the present time, in microseconds since 1970."""

    def __init__(self, summary: Summary, now_us: int) -> None:
        self._summary = summary
        self._now_us = now_us

    @property
    def server(self) -> str:
        """The server's name."""
        return self._summary.name

    @property
    def client(self) -> str:
        """The client's own name; without one, its process."""
        return self._summary.client_name or self._summary.parent_name

    @property
    def state(self) -> str:
        """One of the words of `State`, as the list shows it."""
        return _state(self._summary.state)

    @property
    def outcome(self) -> str:
        """One of the words of `Outcome`; empty if it was not judged."""
        return self._summary.outcome

    @property
    def errors(self) -> int | None:
        """None if it was not judged."""
        return self._found("error")

    @property
    def warnings(self) -> int | None:
        """None if it was not judged."""
        return self._found("warning")

    @property
    def messages(self) -> int:
        """Counted or estimated."""
        return self._summary.messages

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._summary.size

    @property
    def length_us(self) -> int:
        """Microseconds from the start to the last record."""
        return self._summary.length_us

    @property
    def age_us(self) -> int | None:
        """Microseconds since the start; None if that is not known."""
        start = self._summary.start_wall_us
        return max(0, self._now_us - start) if start else None

    @property
    def verdict(self) -> str:
        """What it came to, in a sentence; empty if it was not judged."""
        return self._summary.verdict

    def text(self) -> str:
        """All that its line says, and where it lies."""
        s = self._summary
        command = " ".join(made_here.masker().argv(s.header.argv))
        return "\n".join((s.name, s.client, s.state.word, s.outcome, command, s.path, s.verdict))

    def _found(self, level: str) -> int | None:
        problems = self._summary.problems
        return None if problems is None else problems.get(level, 0)
