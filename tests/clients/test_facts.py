"""The facts about clients are complete in form: what is known names its source, what is not says so."""

from __future__ import annotations

from dataclasses import fields

import pytest

from mcptap.clients.facts import Client, Confidence, Environment, Fact
from mcptap.clients.table import CLIENTS

FACTS = [(c.id, f.name, getattr(c, f.name)) for c in CLIENTS.values() for f in fields(Client)]
FACTS = [(client, name, fact) for client, name, fact in FACTS if isinstance(fact, Fact)]


@pytest.mark.parametrize(("client", "name", "fact"), FACTS, ids=[f"{c}-{n}" for c, n, _ in FACTS])
def test_a_known_fact_has_a_source_and_an_unknown_one_has_neither_value_nor_source(client, name, fact):
    if fact.known:
        assert fact.source
        assert fact.confidence is not Confidence.UNKNOWN
    else:
        assert not fact.source
        assert fact.confidence is Confidence.UNKNOWN


def test_a_short_list_of_variables_lets_nothing_else_pass():
    environment = Environment(("PATH", "HOME"))
    assert environment.of({"PATH": "/bin", "SECRET": "x"}, "/") == {"PATH": "/bin"}


def test_names_that_look_like_secrets_are_held_back_whatever_their_case():
    environment = Environment(without=("TOKEN", "KEY"))
    assert environment.of({"my_api_key": "x", "GITHUB_TOKEN": "x", "LANG": "C"}, "/") == {"LANG": "C"}


def test_what_a_client_sets_may_name_the_working_directory():
    added = CLIENTS["claude-code"].environment.value
    assert added is not None
    assert added.of({}, "/project")["CLAUDE_PROJECT_DIR"] == "/project"
