"""The facts about revisions, at the places where they differ."""

import pickle

import pytest

from mcptap.protocol.revisions import (
    HANDSHAKE_REVISIONS,
    NEWEST_HANDSHAKE,
    NEWEST_STATELESS,
    REVISIONS,
    UNKNOWN,
    find,
    find_handshake,
    find_stateless,
    looks_stateless,
)
from mcptap.protocol.revisions.names import LISTS, LISTS_OF_CHANGE
from mcptap.protocol.revisions.revision import INPUT

FIRST, AUDIO, LINKS, TASKS, STATELESS, *_ = REVISIONS

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
    assert {"tools/list", "tools/call", "notifications/progress"} <= revision.methods.keys()
    assert ("initialize" in revision.methods) == (revision in HANDSHAKE_REVISIONS)
    assert revision.is_stateless != (revision in HANDSHAKE_REVISIONS)


def test_a_revision_is_found_by_its_date_and_equals_it():
    assert find("2025-11-25") is TASKS is NEWEST_HANDSHAKE
    assert TASKS == "2025-11-25"
    assert {"2025-11-25": 1}[TASKS] == 1
    assert find("1.0") is find(None) is UNKNOWN
    assert not UNKNOWN
    assert find_handshake("2026-07-28") is UNKNOWN
    assert find_stateless("2026-07-28") is STATELESS
    assert find_stateless("2025-11-25") is find_stateless("") is NEWEST_STATELESS
    assert pickle.loads(pickle.dumps(TASKS)) == TASKS


def test_a_later_date_looks_stateless_and_an_earlier_one_does_not():
    assert looks_stateless("2026-07-28")
    assert looks_stateless("2027-01-01")
    assert not looks_stateless("2025-11-25")
    assert not looks_stateless("latest")
    assert not looks_stateless(20260728)


def test_what_the_stateless_revision_took_away_and_brought():
    assert not GONE & STATELESS.methods.keys()
    assert STATELESS.methods.keys() - TASKS.methods.keys() == {
        "server/discover",
        "subscriptions/listen",
        "notifications/subscriptions/acknowledged",
    }
    assert STATELESS.input_methods == {"sampling/createMessage", "elicitation/create", "roots/list"}
    assert not TASKS.input_methods


def test_elicitation_came_with_2025_06_18_and_asks_for_less_since():
    assert "elicitation/create" not in AUDIO.methods
    asked = [revision.methods["elicitation/create"] for revision in (LINKS, TASKS, STATELESS)]
    assert [method.params for method in asked] == [("message", "requestedSchema"), ("message",), ("message",)]
    assert asked[2].directions == (INPUT,)


def test_completion_requires_a_capability_since_2025_03_26():
    required = [revision.methods["completion/complete"].requires for revision in (FIRST, AUDIO)]
    assert required == [(), ("server.completions",)]


def test_a_cancellation_may_leave_its_request_out_only_in_2025_11_25():
    assert [revision for revision in REVISIONS if revision.cancels_without_id] == [TASKS]


def test_tasks_are_of_2025_11_25_alone():
    assert [revision for revision in REVISIONS if "tasks/get" in revision.methods] == [TASKS]


def test_audio_and_links_came_one_after_the_other():
    assert AUDIO.content_types - FIRST.content_types == {"audio"}
    assert LINKS.content_types - AUDIO.content_types == {"resource_link"}


@pytest.mark.parametrize("revision", REVISIONS)
def test_what_a_revision_says_of_methods_is_about_methods_that_it_has(revision):
    assert LISTS.keys() <= revision.methods.keys()
    assert LISTS_OF_CHANGE.keys() <= revision.methods.keys()
    assert revision.cacheable <= revision.methods.keys()
    assert revision.may_ask_for_input <= revision.methods.keys()
    assert revision.subscription_filters.keys() <= revision.methods.keys()
