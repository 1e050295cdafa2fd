"""The facts about methods, at the places where revisions differ."""

import pytest

from mcptap.protocol.revisions.methods import (
    CACHEABLE,
    CONTENT_TYPES,
    INPUT,
    LISTS,
    LISTS_OF_CHANGE,
    METHODS,
    SUBSCRIPTION_FILTERS,
    lookup,
)
from mcptap.protocol.revisions.revisions import (
    HANDSHAKE,
    HANDSHAKE_REVISIONS,
    REVISIONS,
    STATELESS,
    A,
    B,
    C,
    D,
    E,
    era,
)

GONE = {
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "notifications/initialized",
    "tasks/get",
}


@pytest.mark.parametrize("revision", REVISIONS)
def test_each_revision_lists_and_calls_tools(revision):
    assert {"tools/list", "tools/call", "notifications/progress"} <= METHODS[revision].keys()
    assert ("initialize" in METHODS[revision]) == (revision in HANDSHAKE_REVISIONS)
    assert era(revision) == (HANDSHAKE if revision in HANDSHAKE_REVISIONS else STATELESS)


def test_what_the_stateless_revision_took_away_and_brought():
    assert not GONE & METHODS[E].keys()
    brought = METHODS[E].keys() - METHODS[D].keys()
    assert brought == {
        "server/discover",
        "subscriptions/listen",
        "notifications/subscriptions/acknowledged",
    }


def test_elicitation_came_with_2025_06_18_and_asks_for_less_since():
    assert lookup(B, "elicitation/create") is None
    asked = {revision: lookup(revision, "elicitation/create") for revision in (C, D, E)}
    assert [facts.params for facts in asked.values() if facts] == [
        ("message", "requestedSchema"),
        ("message",),
        ("message",),
    ]
    assert asked[E] is not None
    assert asked[E].directions == (INPUT,)


def test_completion_needs_a_capability_since_2025_03_26():
    needs = {revision: lookup(revision, "completion/complete") for revision in (A, B)}
    assert [facts.needs for facts in needs.values() if facts] == [(), ("server.completions",)]


def test_a_cancellation_may_leave_its_request_out_only_in_2025_11_25():
    without = [r for r in REVISIONS if not METHODS[r]["notifications/cancelled"].params]
    assert without == [D]


def test_audio_and_links_came_one_after_the_other():
    assert CONTENT_TYPES[B] - CONTENT_TYPES[A] == {"audio"}
    assert CONTENT_TYPES[C] - CONTENT_TYPES[B] == {"resource_link"}


def test_the_tables_beside_the_rows_speak_of_methods_that_there_are():
    assert LISTS.keys() <= METHODS[A].keys()
    assert METHODS[E].keys() >= CACHEABLE
    assert SUBSCRIPTION_FILTERS.keys() <= METHODS[E].keys()
    assert LISTS_OF_CHANGE.keys() <= METHODS[A].keys()
    assert lookup("1.0", "ping") is None
