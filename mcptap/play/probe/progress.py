"""What the parts of a probe share: its settings, its result so far, and what was learnt of the server."""

from __future__ import annotations

from mcptap.play.client.connection import Connection, ConnectionSettings
from mcptap.play.client.opening import OpeningOutcome, OpeningResult, discover, initialize
from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.result import ProbedSession, ProbeResult
from mcptap.play.probe.verdict import Grade
from mcptap.protocol.model.message import Message


class ProbeProgress:
    """The state of one probe."""

    def __init__(self, settings: ConnectionSettings) -> None:
        self.settings = settings
        self.result = ProbeResult()
        self.answers_ping = True
        self._descriptions: dict[bool, ServerDescription] = {}

    def description(self, stateless: bool) -> ServerDescription:
        """What the server says of itself in this era, else in the other; an empty one if in none."""
        return self._descriptions.get(stateless) or self.result.server or ServerDescription()

    def note_description(self, description: ServerDescription) -> ServerDescription:
        """Keep what the server says of itself in this era; the first that was had is shown."""
        self._descriptions.setdefault(description.is_stateless, description)
        self.result.server = self.result.server or description
        return description

    def note_session(self, connection: Connection) -> ProbedSession:
        """Add a session to the result, which is recorded from now on."""
        session = ProbedSession(connection.recording_path, connection.what)
        self.result.sessions.append(session)
        return session

    def ordinary_method(self, stateless: bool) -> str:
        """A harmless method that this server answers."""
        if stateless:
            return "server/discover"
        return "ping" if self.answers_ping else "tools/list"

    async def request_something_ordinary(self, connection: Connection) -> Message | None:
        """The response to a harmless request; None if it does not come."""
        return await connection.request(self.ordinary_method(bool(connection.meta)))

    async def open(
        self, connection: Connection, stateless: bool, section: str, skipped: str
    ) -> OpeningResult | None:
        """Open a session to go on with; if that fails, None, and a verdict that `skipped` was not asked."""
        opening = await (discover(connection) if stateless else initialize(connection))
        if opening.outcome is OpeningOutcome.ACCEPTED:
            return opening
        why = f"a fresh start failed: {opening.description}"
        self.result.add(section, skipped, Grade.SKIPPED, why)
        return None

    async def end_input(self, connection: Connection, section: str, question: str = "end of input") -> None:
        """End the server's input, and judge how it takes it."""
        crashed = connection.ended
        end = await connection.stop()
        if crashed:
            grade, words = Grade.BAD, f"the server had ended before ({end})"
        elif end.signal is not None:
            grade, words = Grade.BAD, f"the server stayed until it was ended by {end}"
        else:
            grade = Grade.FINE if end.code == 0 else Grade.DIFFERS
            words = f"the server ended with code {end}"
        self.result.add(section, question, grade, words)
