"""What a check has to say: one finding, with its place, what the client does about it, and the repair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mcptap.clients.client import Client
from mcptap.clients.facts import Fact, known_from
from mcptap.diagnosis.engine.finding import Level
from mcptap.setup.edits import Edit


@dataclass(frozen=True, slots=True)
class Effect:
    """What the client does about it, as a sentence without its full stop, and the fact that says so.

    Without a fact it follows from the finding itself, or is not known, and says so.
    """

    words: str
    fact: Fact[Any] | None = None

    @property
    def known(self) -> str:
        """How it is known, in words: `seen in 2.1.332`; empty if it is not from a fact."""
        if self.fact is None or not self.fact.known:
            return ""
        doubt = f", {self.fact.doubt.value}" if self.fact.doubt is not None else ""
        return known_from([self.fact.source]) + doubt

    @property
    def sentence(self) -> str:
        """The words, and how they are known."""
        return f"{self.words} ({self.known})" if self.known else self.words


NONE = Effect("")
"""Nothing that has to be said."""


def does(client: Client, fact: Fact[str], what: str) -> Effect:
    """What a client does, by a fact that is a phrase; if that is not known, that it is not, about `what`."""
    if fact.value is None:
        return Effect(f"what {client.name} does with {what} is not known")
    note = f"; {fact.note}" if fact.note else ""
    return Effect(f"{client.name} {fact.value}{note}", fact)


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair that is certain: what it does, as a phrase, and the edits of the file."""

    words: str
    edits: tuple[Edit, ...]
    hidden: bool = False
    """Whether its bytes are not shown, since they may hold a secret."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, or worth knowing, in a configuration."""

    check: str
    level: Level
    client: Client
    scope: str
    file: Path
    message: str
    """What it is, as a sentence with its full stop."""
    line: int = 0
    """From 1; 0 if it is about the whole file."""
    column: int = 0
    """From 1, in characters."""
    server: str = ""
    """Its name; empty if it is about the whole file."""
    effect: Effect = NONE
    remedy: str = ""
    """What to do, as a sentence with its full stop."""
    fix: Fix | None = None
    places: tuple[str, ...] = field(default=())
    """Where in the file else, each as `FILE:LINE:COLUMN`."""

    @property
    def place(self) -> str:
        """`FILE:LINE:COLUMN`, or the file."""
        return f"{self.file}:{self.line}:{self.column}" if self.line else str(self.file)

    def changed(self, text: Callable[[str], str]) -> Finding:
        """The finding with all its texts as `text` makes them."""
        return replace(
            self,
            message=text(self.message),
            server=text(self.server),
            effect=replace(self.effect, words=text(self.effect.words)),
            remedy=text(self.remedy),
        )
