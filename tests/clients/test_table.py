"""The rows about clients: complete in form, every fact with its source, every name of a row a row."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from pkgutil import iter_modules

import pytest

import mcptap
from mcptap.clients import products
from mcptap.clients.client import Client, Configuration
from mcptap.clients.facts import Confidence, Fact
from mcptap.clients.faults import Fault
from mcptap.clients.outcomes import Outcome
from mcptap.clients.reactions import known_outcome, observed, reactions
from mcptap.clients.table import CLIENTS

ROWS = pytest.mark.parametrize("client", CLIENTS.values(), ids=list(CLIENTS))


def facts(client: Client) -> list[tuple[str, Fact[object]]]:
    stated = [(f.name, getattr(client, f.name)) for f in fields(Client)]
    stated += [(f.name, getattr(client.configuration, f.name)) for f in fields(Configuration)]
    stated += [(fault.value, fact) for fault, fact in client.reactions.items()]
    return [(name, fact) for name, fact in stated if isinstance(fact, Fact)]


@ROWS
def test_a_known_fact_has_a_source_and_an_unknown_one_has_neither_value_nor_source(client):
    assert len(facts(client)) >= 16
    for name, fact in facts(client):
        if fact.known:
            assert fact.source, name
            assert fact.source.place, name
            assert fact.confidence is not Confidence.UNKNOWN, name
        else:
            assert fact.source is None, name
            assert fact.confidence is Confidence.UNKNOWN, name


@ROWS
def test_a_row_has_an_id_in_kebab_case_and_a_name(client):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", client.id)
    assert client.name


@ROWS
def test_reactions_are_outcomes_of_listed_faults(client):
    assert all(isinstance(fault, Fault) for fault in client.reactions)
    assert all(isinstance(fact.value, Outcome) for fact in client.reactions.values())


@ROWS
def test_what_a_client_is_built_on_is_a_library_that_is_listed(client):
    for name in client.libraries.value or ():
        assert CLIENTS[name].is_library


def test_what_is_known_of_a_fault_is_told_in_one_line_with_versions():
    assert observed(Fault.CURSOR_LOOP) == (
        "observed: stops at a cursor that it knows; with new ones it throws after 64 pages and has no list "
        "(TypeScript SDK 2.4.0)"
    )
    assert observed(Fault.NULL_MEMBER, "null") == (
        "observed of null: waits until its time limit (TypeScript SDK 1.32.2 and 2.4.0); "
        "accepts it (Python SDK 1.30.0 and 2.3.0, C# SDK 2.2.0)"
    )


def test_no_id_stands_twice():
    rows = [row for found in iter_modules(products.__path__) for row in module(found.name).CLIENTS]
    libraries = [client for client in CLIENTS.values() if client.is_library]
    assert len(rows) + len(libraries) == len(CLIENTS)


def module(name: str):
    return __import__(f"{products.__name__}.{name}", fromlist=["CLIENTS"])


def test_every_outcome_is_used():
    assert {fact.value for row in CLIENTS.values() for fact in row.reactions.values()} == set(Outcome)


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


def constants(path: Path) -> Iterator[str]:
    """The strings of a module that are no docstrings."""
    tree = ast.parse(path.read_text())
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def test_no_other_module_names_a_client():
    # Names that are English words are left out, and libraries: they are those of servers, too.
    words = {"Amp", "Continue", "Cursor", "Warp"}
    named = {client.name for client in CLIENTS.values() if not client.is_library} - words
    named |= {client.id for client in CLIENTS.values() if "-" in client.id}
    package = Path(mcptap.__file__).parent
    found = {
        (str(path.relative_to(package)), name)
        for path in package.rglob("*.py")
        if path.relative_to(package).parts[0] != "clients"
        for text in constants(path)
        for name in named
        if name in text
    }
    assert found == set()
