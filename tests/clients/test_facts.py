"""Facts: how sure one is, and where it comes from in words."""

from __future__ import annotations

from mcptap.clients.facts import UNKNOWN, Confidence, Fact, Origin, Source, known_from


def test_a_fact_is_as_sure_as_its_kind_of_source_unless_it_says_otherwise():
    source = Source(Origin.SOURCE_TEXT, "somewhere", "1.0")
    assert Fact(1, source).confidence is Confidence.HIGH
    assert Fact(1, source, doubt=Confidence.LOW).confidence is Confidence.LOW
    assert UNKNOWN.confidence is Confidence.UNKNOWN
    assert not UNKNOWN.known


def test_where_facts_come_from_names_the_versions():
    one, two = (Source(Origin.RUN, "a run", version) for version in ("1.0", "2.0"))
    assert known_from([one, two, one]) == "seen in 1.0 and 2.0"
    assert known_from([Source(Origin.SOURCE_TEXT, "a file", "3.1")]) == "read in the source of 3.1"
    page = Source(Origin.DOCUMENTATION, "a page", "May 2026")
    assert known_from([page]) == "by its documentation of May 2026"
