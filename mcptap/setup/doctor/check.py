"""What a check is, and the register of all checks.

A check is a function that looks at one thing (a file, an entry, the configurations of a client together) and
yields what it has to say, mostly nothing. Whom it applies to it asks the client's facts, never its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcptap.clients.configs.nodes import Member, Node
from mcptap.diagnosis.engine.finding import Level
from mcptap.setup.doctor.finding import NONE, Effect, Fix


class About(StrEnum):
    """What a check looks at."""

    FILE = "a file that holds entries, or may"
    ENTRY = "each entry"
    SERVER = "each entry of a stdio server whose command can be told"
    FOUND = "a file, and what was found in it"
    ALL = "all files of a client together"


@dataclass(frozen=True, slots=True)
class Said:
    """What a check says of one thing. Sentences have no full stop.

    `at` is a value, a member (its key is the place) or an offset; None: the thing itself.
    """

    message: str
    effect: Effect = NONE
    remedy: str = ""
    at: Node | Member | int | None = None
    level: Level | None = None
    """In place of the check's own."""
    fix: Fix | None = None
    places: tuple[str, ...] = ()
    line: int = 0
    """With `column` the place, where it is known without an offset."""
    column: int = 0


@dataclass(frozen=True, slots=True)
class Check:
    """A check of the catalogue."""

    id: str
    level: Level
    """The highest of its levels."""
    about: About
    summary: str
    """What it finds, in one clause."""
    if_disabled: bool
    """Whether it counts in full for a server that is switched off; else what it finds there is info."""
    run: Callable[[Any], Iterator[Any]]


CHECKS: dict[str, Check] = {}
"""All checks by id (filled when `mcptap.setup.checks` is imported)."""

ERROR, WARNING, INFO = Level.ERROR, Level.WARNING, Level.INFO


def check(
    name: str, level: Level, about: About, summary: str, *, if_disabled: bool = False
) -> Callable[[Callable[[Any], Iterator[Any]]], Callable[[Any], Iterator[Any]]]:
    """Register a function as a check. Raises ValueError if there is one of that name."""

    def register(run: Callable[[Any], Iterator[Any]]) -> Callable[[Any], Iterator[Any]]:
        if name in CHECKS:
            raise ValueError(f"two checks are called {name}")
        CHECKS[name] = Check(name, level, about, summary, if_disabled, run)
        return run

    return register
