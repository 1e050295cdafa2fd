"""What a rule has to say: one finding, in a form that text, JSON and the TUI share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

from mcptap.clients.faults import Fault


class Level(IntEnum):
    """How bad it is. An error breaks a MUST, or no client works with it; info fails no check by default."""

    INFO = 0
    WARNING = 1
    ERROR = 2

    @property
    def word(self) -> str:
        """The level as it is written everywhere: `info`, `warning`, `error`."""
        return self.name.lower()


@dataclass(slots=True)
class Finding:
    """One rule's verdict on one subject."""

    rule: str
    """The rule's id in the catalogue."""
    level: Level
    line: int | None
    """Record number of the record it points at, from 1: the first, or the one that cost a request or tells
    most. None if it is about the whole session."""
    message: str
    """What is wrong: names the record and, where known, the method."""
    consequence: str = ""
    """What this client did or will do about it, and which others would suffer."""
    remedy: str = ""
    """What to do."""
    subject: str = ""
    """What the finding is about, if the rule can be broken by several: a tool, an id, a capability."""
    records: list[int] = field(default_factory=list)
    """Record numbers of all records that show it (the first ones, if there are many)."""
    quoted: list[str] = field(default_factory=list)
    """The last few lines of the server that say why, as they were written."""
    count: int = 1
    """How often it happened; `records` may hold fewer."""
    side: str = ""
    """Which side is at fault: `server`, `client` or `launch`."""
    design: bool = False
    """Whether it belongs to the tool-design group, which fails no check unless asked."""
    telling: int = 0
    """How much the record that it points at tells, compared with others that show the same."""
    loses_request: bool = False
    """Whether a request, or the session, failed because of it."""
    brief: str = ""
    """What is wrong in few words, to stand within another sentence."""
    headline: str = ""
    """The same words, to begin a sentence."""
    follows: str = ""
    """The last clause of `message`: what comes of it; may be empty."""
    known: int | None = None
    """Number of the record that made it known; None if it follows from what did not come, or from all."""
    fault: Fault | None = None
    """What it is in the terms of what is known about clients."""

    def as_object(self) -> dict[str, Any]:
        """The finding as all commands give it in JSON. Members are added, none is renamed or removed."""
        return {
            "rule": self.rule,
            "level": self.level.word,
            "line": self.line,
            "message": self.message,
            "consequence": self.consequence,
            "remedy": self.remedy,
            "subject": self.subject,
            "side": self.side,
            "records": self.records,
            "quoted": self.quoted,
            "count": self.count,
            "design": self.design,
        }

    def changed(self, text: Callable[[str], str]) -> Finding:
        """The finding with all its texts as `text` makes them."""
        return replace(
            self,
            message=text(self.message),
            consequence=text(self.consequence),
            remedy=text(self.remedy),
            subject=text(self.subject),
            quoted=[text(line) for line in self.quoted],
            brief=text(self.brief),
            headline=text(self.headline),
            follows=text(self.follows),
        )
