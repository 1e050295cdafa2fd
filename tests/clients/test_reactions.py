"""What a client does about a fault: its own row, its limits and habits, its libraries."""

from __future__ import annotations

import pytest

from mcptap.clients.faults import Fault
from mcptap.clients.outcomes import Outcome
from mcptap.clients.reactions import known_outcome, observed, reactions
from mcptap.clients.table import CLIENTS


def test_what_is_known_of_a_fault_is_told_in_one_line_with_versions():
    assert observed(Fault.CURSOR_LOOP) == (
        "observed: stops at a cursor that it knows; with new ones it throws after 64 pages and has no list "
        "(TypeScript SDK 2.4.0)"
    )
    assert observed(Fault.NULL_MEMBER, "null") == (
        "observed of null: waits as if nothing had come (TypeScript SDK 1.32.2 and 2.4.0); "
        "accepts it (Python SDK 1.30.0 and 2.3.0, C# SDK 2.2.0)"
    )


def test_a_fault_that_limits_or_habits_answer_is_stated_nowhere_else():
    stated = {fault for row in CLIENTS.values() for fault in row.reactions}
    habits = {
        *(Fault.WORKING_DIRECTORY, Fault.ENVIRONMENT, Fault.UNEXPANDED_VARIABLE, Fault.SLOW_SHUTDOWN),
        *(Fault.NO_RESPONSE, Fault.UNFLUSHED, Fault.NO_INITIALIZE_RESPONSE, Fault.NO_DISCOVER_RESPONSE),
    }
    assert not stated & habits
    assert all(reaction.harmless is None for fault in habits for reaction in reactions(fault).values())
    assert all(reactions(fault) for fault in habits)


def test_a_client_does_as_its_libraries_where_they_agree_and_nothing_else_is_known():
    assert known_outcome(CLIENTS["goose"], Fault.NOT_JSON) is CLIENTS["rust-sdk"].reactions[Fault.NOT_JSON]
    assert known_outcome(CLIENTS["inspector"], Fault.NOT_JSON) is None
    both = known_outcome(CLIENTS["inspector"], Fault.NULL_MEMBER)
    assert both is not None
    assert both.value is Outcome.WAITS
    assert known_outcome(CLIENTS["cursor"], Fault.NOT_JSON) is None


@pytest.mark.parametrize(
    ("client", "fault", "said"),
    [
        ("gemini-cli", Fault.NOT_JSON, "skips it until connected; then it shows an error and disconnects"),
        ("claude-desktop", Fault.NOT_JSON, "reports it and goes on (in a banner)"),
        ("codex", Fault.SLOW_SHUTDOWN, "sends SIGTERM after 3 s and SIGKILL after 2 s more"),
        (
            "claude-code",
            Fault.SLOW_SHUTDOWN,
            "sends SIGINT at once, SIGTERM after 100 ms and SIGKILL after 400 ms more",
        ),
        ("claude-code", Fault.NO_INITIALIZE_RESPONSE, "gives up after 30 s (MCP_TIMEOUT)"),
    ],
)
def test_what_two_tables_once_disagreed_on_is_said_in_one_way(client, fault, said):
    assert reactions(fault)[client].said == said


def test_libraries_stand_before_the_clients_that_are_built_on_them():
    for fault in Fault:
        libraries = [CLIENTS[name].is_library for name in reactions(fault)]
        assert libraries == sorted(libraries, reverse=True)


@pytest.mark.parametrize("fault", Fault)
def test_what_is_known_has_a_source_and_words(fault: Fault):
    for reaction in reactions(fault).values():
        assert reaction.source.place
        assert reaction.said.startswith(reaction.words)
        assert reaction.words


def test_a_broken_limit_does_harm_and_a_habit_neither_harm_nor_good():
    assert {reaction.harmless for reaction in reactions(Fault.LARGE_RESULT).values()} == {False}
    assert {reaction.harmless for reaction in reactions(Fault.NO_RESPONSE).values()} == {None}
    assert all(reaction.outcome is None for reaction in reactions(Fault.LARGE_RESULT).values())


def test_a_list_is_lost_only_by_an_outcome_that_loses_it():
    lost = {name for name, reaction in reactions(Fault.INPUT_SCHEMA).items() if reaction.loses_list}
    assert lost == {
        name
        for name, reaction in reactions(Fault.INPUT_SCHEMA).items()
        if reaction.outcome is not None and reaction.outcome.loses_list
    }
    assert not any(reaction.loses_list for reaction in reactions(Fault.NO_RESPONSE).values())
