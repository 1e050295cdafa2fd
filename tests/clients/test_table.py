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
from mcptap.clients.client import Client
from mcptap.clients.configuration import Configuration
from mcptap.clients.facts import UNKNOWN, Confidence, Fact
from mcptap.clients.faults import Fault
from mcptap.clients.habits import Habits
from mcptap.clients.outcomes import Outcome
from mcptap.clients.table import CLIENTS

ROWS = pytest.mark.parametrize("client", CLIENTS.values(), ids=list(CLIENTS))


def facts(client: Client) -> list[tuple[str, Fact[object]]]:
    stated = [(f.name, getattr(client, f.name)) for f in fields(Client)]
    stated += [(f.name, getattr(client.configuration, f.name)) for f in fields(Configuration)]
    stated += [(f.name, getattr(client.habits, f.name)) for f in fields(Habits)]
    stated += [(fault.value, fact) for fault, fact in client.reactions.items()]
    return [(name, fact) for name, fact in stated if isinstance(fact, Fact)]


@ROWS
def test_a_known_fact_has_a_source_with_its_version_and_an_unknown_one_has_neither(client):
    assert len(facts(client)) >= 16
    for name, fact in facts(client):
        if fact.known:
            assert fact.source.place, name
            assert fact.source.version, name
            assert fact.confidence is not Confidence.UNKNOWN, name
        else:
            assert fact is UNKNOWN, name
            assert fact.confidence is Confidence.UNKNOWN, name


@ROWS
def test_what_was_run_or_read_in_a_version_is_that_of_the_row(client):
    for name, fact in facts(client):
        if fact.known and fact.source.version[:1].isdigit():
            assert fact.source.version == client.version, name


@ROWS
def test_no_two_facts_about_a_client_contradict_each_other(client):
    does = {fault: fact.value for fault, fact in client.reactions.items()}
    limits = {
        Fault.LONG_LINE: client.longest_line,
        Fault.LARGE_RESULT: client.largest_result,
        Fault.LONG_TOOL_NAME: client.tool_names,
    }
    assert not [fault for fault, limit in limits.items() if limit.known and fault in does], "told twice"
    worse = (
        (Fault.CAPABILITY_NULL, Fault.CAPABILITY_SHAPE),
        (Fault.NULL_MEMBER, Fault.RESULT_AND_ERROR),
        (Fault.NOT_JSON, Fault.GLUED_TEXT),
    )
    for fault, more in worse:
        if fault in does and more in does and not does[fault].harmless:
            assert not does[more].harmless, f"{fault.value} harms it and {more.value} does not"
    opening = client.opening.value
    assert opening is None or opening.discovers == (opening.discover_wait_s > 0)
    assert opening is None or opening.discovers or not (opening.sibling or opening.discovers_if)


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


def test_no_id_stands_twice():
    rows = [row for found in iter_modules(products.__path__) for row in module(found.name).CLIENTS]
    libraries = [client for client in CLIENTS.values() if client.is_library]
    assert len(rows) + len(libraries) == len(CLIENTS)


def module(name: str):
    return __import__(f"{products.__name__}.{name}", fromlist=["CLIENTS"])


def test_every_outcome_is_used():
    assert {fact.value for row in CLIENTS.values() for fact in row.reactions.values()} == set(Outcome)


def constants(path: Path) -> Iterator[str]:
    """The strings of a module that are no docstrings."""
    tree = ast.parse(path.read_text())
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def test_no_other_module_names_a_client():
    # Names that are English words are left out, and libraries: they are those of servers, too. So is the
    # name of a program that stands in the place of a server.
    words = {"Amp", "Continue", "Cursor", "Warp", "mcp-remote"}
    named = {client.name for client in CLIENTS.values() if not client.is_library}
    named |= {client.id for client in CLIENTS.values() if "-" in client.id}
    named -= words
    # The readers of captures say whose log it is that they read.
    package = Path(mcptap.__file__).parent
    found = {
        (str(path.relative_to(package)), name)
        for path in package.rglob("*.py")
        if path.relative_to(package).parts[0] not in ("clients", "captures")
        and "manual" not in path.parts  # examples
        and path.name != "check.py"  # its help says whose logs it reads
        for text in constants(path)
        for name in named
        if name in text
    }
    assert found == set()
