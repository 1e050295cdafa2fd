"""Opening a session in either era: `server/discover`, or `initialize`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from mcptap.play.client.connection import Connection
from mcptap.play.client.persona import PROBE, Persona, initialize_params, request_meta
from mcptap.protocol.model.message import Message
from mcptap.protocol.revisions import NEWEST_HANDSHAKE, NEWEST_STATELESS


class OpeningOutcome(Enum):
    """What became of an opening message."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    SILENT = "no answer"
    GONE = "the server ended"


@dataclass(slots=True)
class OpeningResult:
    """What came of `server/discover` or `initialize`."""

    outcome: OpeningOutcome
    response: Message | None = None

    @property
    def result(self) -> dict[str, Any]:
        """The result of the response; empty if there is none."""
        result = self.response.result if self.response is not None else None
        return result if isinstance(result, dict) else {}

    @property
    def description(self) -> str:
        """The outcome in words."""
        error = self.response.error if self.response is not None else None
        if isinstance(error, dict):
            return f"refused: {error.get('code')} {error.get('message')}"
        return self.outcome.value


async def discover(
    connection: Connection,
    key: str | int | None = None,
    limit_s: float | None = None,
    persona: Persona = PROBE,
) -> OpeningResult:
    """Send `server/discover`; if it is accepted, later requests of the connection are stateless ones."""
    connection.meta = request_meta(persona)
    response = await connection.request("server/discover", {}, key=key, limit_s=limit_s)
    opening = _result(connection, response)
    versions = opening.result.get("supportedVersions")
    knows_revision = isinstance(versions, list) and NEWEST_STATELESS in versions
    if opening.outcome is OpeningOutcome.ACCEPTED and not knows_revision:
        opening.outcome = OpeningOutcome.REFUSED
    if opening.outcome is not OpeningOutcome.ACCEPTED:
        connection.meta = {}
    return opening


async def initialize(
    connection: Connection,
    revision: str = NEWEST_HANDSHAKE,
    persona: Persona = PROBE,
    limit_s: float | None = None,
) -> OpeningResult:
    """Send `initialize`, and `notifications/initialized` if the response is a result."""
    params = initialize_params(revision, persona)
    response = await connection.request("initialize", params, limit_s=limit_s)
    opening = _result(connection, response)
    if opening.outcome is OpeningOutcome.ACCEPTED:
        await connection.notify("notifications/initialized")
    return opening


def _result(connection: Connection, response: Message | None) -> OpeningResult:
    if response is None:
        return OpeningResult(OpeningOutcome.GONE if connection.ended else OpeningOutcome.SILENT)
    if isinstance(response.error, dict) or not isinstance(response.result, dict):
        return OpeningResult(OpeningOutcome.REFUSED, response)
    return OpeningResult(OpeningOutcome.ACCEPTED, response)
