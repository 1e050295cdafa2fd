"""What a known client would have shown of a server, and under which conditions that was found."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from mcptap.clients.client import Client
from mcptap.clients.facts import Fact

CERTAIN = "would have shown"


class ClientOutcome(Enum):
    """What the user of the client would have seen."""

    LISTED = "tools listed"
    NO_TOOLS = "connected, without tools"
    DISCONNECTED = "disconnected"
    HUNG = "hung"
    FAILED = "could not be started"


@dataclass(slots=True)
class ClientReport:
    """What the client would have shown, why, and under which conditions that was found."""

    client: Client
    outcome: ClientOutcome = ClientOutcome.HUNG
    why: str = ""
    tools: list[str] = field(default_factory=list)
    conditions: list[tuple[str, str]] = field(default_factory=list)
    """What was done as the client does it, and how that is known."""
    assumptions: list[str] = field(default_factory=list)
    """What is not known of the client, and what was done instead."""
    remarks: list[str] = field(default_factory=list)
    """What else would have been noticed."""
    ended_early: bool = False
    """Whether the server ended before it had answered anything."""
    refused: bool = False
    """Whether the server refused the opening."""
    waited_s: float = 0.0
    """How long a server that stayed silent was waited for."""
    doubtful: bool = False
    """Whether it hangs on what is not known of the client itself, only of the library that it may use."""
    less: str = ""
    """What a server that works gives less than under the user's own conditions, in words about it."""
    cause: str = ""
    """Which of the client's conditions makes the difference, if it was looked for."""
    drops: bool = False
    """Whether the client drops some of the tools: the remarks say which faults cost a tool."""
    path: str = ""
    """The recording."""

    @property
    def connects(self) -> bool:
        """Whether the client would have been connected, with whatever the server gave then."""
        return self.outcome in (ClientOutcome.LISTED, ClientOutcome.NO_TOOLS)

    @property
    def works(self) -> bool:
        """Whether the client would have had what the server offers."""
        return self.connects and not self.less

    @property
    def lead(self) -> str:
        """What stands before `words`: how sure it is that the client would have shown that."""
        return "as far as known" if self.doubtful or self.assumptions else CERTAIN

    def claim_of(self, who: str) -> str:
        """The same behind the client's name, in front of a colon."""
        return f"{who} {self.lead}" if self.lead == CERTAIN else f"{who}, {self.lead}"

    @property
    def runs(self) -> bool:
        """Whether the server could be started, and did not end before it was asked anything."""
        return self.outcome is not ClientOutcome.FAILED and not (
            self.outcome is ClientOutcome.DISCONNECTED and self.ended_early
        )

    @property
    def words(self) -> str:
        """What would have been seen, and why."""
        if self.outcome is ClientOutcome.LISTED:
            count = "1 tool" if len(self.tools) == 1 else f"{len(self.tools)} tools"
            less = " without those that it drops" if self.drops else ""
            return f"{count}{less}: {', '.join(self.tools)}"
        return f"{self.outcome.value}: {self.why}"


def with_source(text: str, fact: Fact[Any]) -> str:
    """A text with how the fact in it is known, and what the fact alone does not say."""
    note = f"; {fact.note}" if fact.note else ""
    return f"{text} ({fact.confidence.value}{note})"
