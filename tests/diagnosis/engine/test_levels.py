"""Levels by revision."""

import pytest

from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import (
    between,
    everywhere,
    handshake,
    in_order,
    known,
    only,
    since,
    stateless,
    unknown,
    until,
)
from mcptap.protocol.revisions import REVISIONS, UNKNOWN


@pytest.mark.parametrize("revision", REVISIONS)
def test_since_and_until_meet_in_their_revision_and_cover_all(revision: str):
    before, after = until(revision, Level.INFO), since(revision, Level.INFO)
    assert set(before) & set(after) == {revision} == set(only(revision, Level.INFO))
    assert set(before) | set(after) == set(REVISIONS) == set(known(Level.INFO))


def test_between_has_both_its_ends():
    assert list(between("2025-03-26", "2025-11-25", Level.ERROR)) == [
        "2025-03-26",
        "2025-06-18",
        "2025-11-25",
    ]


def test_a_revision_has_a_handshake_or_is_stateless():
    assert handshake(Level.INFO).keys() & stateless(Level.INFO).keys() == set()
    assert {**handshake(Level.INFO), **stateless(Level.INFO)} == known(Level.INFO)


def test_an_unknown_revision_is_one_of_everywhere_and_of_nothing_else():
    assert everywhere(Level.INFO) == known(Level.INFO) | unknown(Level.INFO)
    assert UNKNOWN not in known(Level.INFO)


def test_joined_levels_stand_by_age_and_the_later_one_wins():
    joined = in_order(unknown(Level.INFO) | since("2025-11-25", Level.ERROR) | known(Level.WARNING))
    assert list(joined) == [*REVISIONS, UNKNOWN]
    assert joined["2025-11-25"] is Level.WARNING
