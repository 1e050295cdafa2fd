"""What the parts of a probe share: its settings, its result so far, and what was learnt of the server."""

from __future__ import annotations

from typing import Any

from mcptap.play.client.connection import Connection, ConnectionSettings
from mcptap.play.client.opening import OpeningOutcome, OpeningResult, discover, initialize
from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.no_server import Silence
from mcptap.play.probe.result import ProbedSession, ProbeResult
from mcptap.play.probe.verdict import Grade
from mcptap.protocol.model.message import RESPONSE, Message
from mcptap.protocol.revisions.names import METHOD_NOT_FOUND


class ProbeProgress:
    """The state of one probe."""

    def __init__(self, settings: ConnectionSettings) -> None:
        self.settings = settings
        self.result = ProbeResult()
        self.answers_ping = True
        self.discover_is_silent = False
        """Whether `server/discover` was not answered in time."""
        self.silence: Silence | None = None
        """What the last process that gave no answer at all did instead."""
        self._descriptions: dict[bool, ServerDescription] = {}

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools that the server lists."""
        return self.result.server.tools if self.result.server else []

    @property
    def declared(self) -> set[str]:
        """The capabilities that it declares in either era, and `subscriptions` for those to resources."""
        found: set[str] = set()
        for description in filter(None, [self.result.server, *self._descriptions.values()]):
            found |= description.capabilities.keys()
            resources = description.capabilities.get("resources")
            if isinstance(resources, dict) and resources.get("subscribe") is True:
                found.add("subscriptions")
        return found

    def description(self, stateless: bool) -> ServerDescription:
        """What the server says of itself in this era, else in the other; an empty one if in none."""
        return self._descriptions.get(stateless) or self.result.server or ServerDescription()

    def note_description(self, description: ServerDescription, section: str) -> ServerDescription:
        """Keep what the server says of itself in this era, and judge lists that are not whole.

        What was had first is shown.
        """
        for member, error in description.errors.items():
            # A method that is not there has a rule of its own, if it is one that has to be there.
            grade = Grade.DIFFERS if f"error {METHOD_NOT_FOUND}," in error else Grade.BAD
            self.result.add(section, f"list of {member}", grade, error)
        self._descriptions.setdefault(description.is_stateless, description)
        self.result.server = self.result.server or description
        return description

    def note_session(self, connection: Connection) -> ProbedSession:
        """Add a session to the result, which is recorded from now on."""
        session = ProbedSession(connection.recording_path, connection.what)
        self.result.sessions.append(session)
        return session

    async def note_silence(self, connection: Connection) -> None:
        """Note what a process did that answered nothing: then it may be no server at all."""
        if not any(message.kind == RESPONSE for message in connection.received):
            end = await connection.stop()
            self.silence = Silence(
                connection.received[:],
                [line.data.decode(errors="backslashreplace") for line in connection.stderr],
                connection.echoed,
                end if connection.left else None,
            )

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
