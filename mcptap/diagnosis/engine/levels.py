"""How bad a finding is under which revision of the protocol.

Each function gives levels by revision; an empty string is an unknown revision. `a | b` joins two,
and the later one wins.
"""

from __future__ import annotations

from mcptap.diagnosis.engine.finding import Level
from mcptap.protocol.revisions import HANDSHAKE_REVISIONS, REVISIONS, STATELESS_REVISIONS, UNKNOWN

Levels = dict[str, Level]


def everywhere(level: Level) -> Levels:
    """In all revisions, also in an unknown one."""
    return dict.fromkeys((*REVISIONS, UNKNOWN), level)


def known(level: Level) -> Levels:
    """In all revisions that are known."""
    return dict.fromkeys(REVISIONS, level)


def since(revision: str, level: Level) -> Levels:
    """In this revision and in all later ones."""
    return dict.fromkeys(REVISIONS[REVISIONS.index(revision) :], level)


def until(revision: str, level: Level) -> Levels:
    """In this revision and in all earlier ones."""
    return dict.fromkeys(REVISIONS[: REVISIONS.index(revision) + 1], level)


def between(first: str, last: str, level: Level) -> Levels:
    """From one revision to another, both included."""
    return dict.fromkeys(REVISIONS[REVISIONS.index(first) : REVISIONS.index(last) + 1], level)


def only(revision: str, level: Level) -> Levels:
    """In one revision."""
    return between(revision, revision, level)


def handshake(level: Level) -> Levels:
    """In the revisions that begin with `initialize`."""
    return dict.fromkeys(HANDSHAKE_REVISIONS, level)


def stateless(level: Level) -> Levels:
    """In the revisions without `initialize`."""
    return dict.fromkeys(STATELESS_REVISIONS, level)


def unknown(level: Level) -> Levels:
    """In a session whose revision is not known."""
    return {UNKNOWN: level}


def in_order(levels: Levels) -> Levels:
    """The same levels, by age of the revision."""
    return {revision: levels[revision] for revision in (*REVISIONS, UNKNOWN) if revision in levels}
