"""What a client does about a fault: its own row, its limits and habits, its libraries."""

from __future__ import annotations

import pytest

from mcptap.clients.client import Client
from mcptap.clients.facts import Fact, Origin, Source
from mcptap.clients.faults import Fault
from mcptap.clients.outcomes import Outcome
from mcptap.clients.reactions import known_outcome, observed, reactions, told_by
from mcptap.clients.table import CLIENTS


def test_what_is_known_of_a_fault_is_told_in_one_line_with_versions():
    assert observed(Fault.CURSOR_LOOP) == (
        "observed: stops there, and keeps the pages that it has read "
        "(TypeScript SDK 2.4.0, FastMCP client 4.2.3, MCP Inspector 2.12.0); "
        "gives up, and has no list (Codex 0.171.0, opencode 1.18.33)"
    )
    assert observed(Fault.NOT_A_NUMBER, "NaN") == (
        "observed of NaN: waits as if nothing had come (TypeScript SDK 1.32.2 and 2.4.0, "
        "Claude Code 2.1.332, Codex 0.171.0, MCP Inspector 2.12.0, "
        "opencode 1.18.33); accepts it (Python SDK 1.30.0 and 2.3.0)"
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
    libraries = Fact(("typescript-sdk-1", "typescript-sdk-2"), Source(Origin.RUN, "a run", "1"))
    either = Client("either", "Either", libraries=libraries)
    assert known_outcome(either, Fault.NOT_JSON) is None
    both = known_outcome(either, Fault.NULL_MEMBER)
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
    lost = {name for name, reaction in reactions(Fault.NO_INPUT_SCHEMA).items() if reaction.loses_list}
    assert lost == {
        name
        for name, reaction in reactions(Fault.NO_INPUT_SCHEMA).items()
        if reaction.outcome is not None and reaction.outcome.loses_list
    }
    assert not any(reaction.loses_list for reaction in reactions(Fault.NO_RESPONSE).values())


def test_what_only_its_library_is_known_to_do_is_told_of_the_library():
    assert told_by(CLIENTS["claude-code"], Fault.NULL_FIELD) == "Claude Code"
    assert told_by(CLIENTS["cline"], Fault.NULL_FIELD) == "its library, if it is the TypeScript SDK,"
    assert told_by(CLIENTS["python-sdk-2"], Fault.NULL_FIELD) == "Python SDK 2.3.0"
