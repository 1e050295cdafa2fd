"""What a capture can prove."""

from dataclasses import fields

import pytest

from mcptap.captures.evidence import (
    COMPLETE,
    MILLISECONDS,
    PROVABLE,
    SECONDS,
    Evidence,
    evidence_of,
    fineness_of,
    from_fields,
    to_fields,
)
from mcptap.recording.format.model import Header


def test_all_that_can_be_proven_has_words_for_where_it_is_not():
    assert list(PROVABLE) == [field.name for field in fields(Evidence) if field.type == "bool"]
    assert Evidence(**dict.fromkeys(PROVABLE, False)).unknown == list(PROVABLE.values())
    assert COMPLETE.unknown == []


@pytest.mark.parametrize(
    ("fields", "unknown", "noted"),
    [
        ({}, [], []),
        ({"unrecorded": ["c2s"]}, ["client", "whole"], ["the client's side was not recorded"]),
        ({"joined": True}, ["stderr"], ["stderr was one with stdout"]),
        (
            {"unrecorded": ["c2s"], "joined": True},
            ["stderr", "client", "whole"],
            ["the client's side was not recorded", "stderr was one with stdout"],
        ),
        ({"unrecorded": ["future"], "joined": "yes"}, [], []),
        ({"unrecorded": "c2s", "joined": 1}, [], []),
        ({"unrecorded": [3, None, {}]}, [], []),
    ],
    ids=str,
)
def test_the_header_of_a_recording_tells_what_it_knows(fields, unknown, noted):
    evidence = evidence_of(Header(fields))
    assert evidence.unknown == [PROVABLE[name] for name in unknown]
    assert [note.split(":")[0].split(" (")[0] for note in evidence.notes] == noted


def test_how_times_are_spelled_tells_how_fine_they_are():
    assert fineness_of(["", ""]) == SECONDS
    assert fineness_of(["", "589"]) == MILLISECONDS
    assert fineness_of(["589", "589001"]) == 1
    coarse = Evidence(origin="a log", fineness_us=SECONDS)
    assert from_fields(to_fields(coarse)) == coarse
