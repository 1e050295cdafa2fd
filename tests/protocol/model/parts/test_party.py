"""What a client or a server declared."""

import pytest

from mcptap.protocol.model.parts.party import Party, declares


@pytest.mark.parametrize(
    ("capabilities", "path", "declared"),
    [
        (None, "tools", False),
        ({}, "tools", False),
        ({"tools": {}}, "tools", True),
        ({"tools": None}, "tools", False),
        ({"tools": False}, "tools", False),
        ({"tools": {"listChanged": True}}, "tools.listChanged", True),
        ({"tools": {"listChanged": False}}, "tools.listChanged", False),
        ({"tools": {}}, "tools.listChanged", False),
        ({"tools": True}, "tools.listChanged", False),
        ({"elicitation": {"url": {}}}, "elicitation.url", True),
    ],
)
def test_a_capability_is_declared_by_its_key_unless_it_is_false_or_null(capabilities, path, declared):
    assert declares(capabilities, path) is declared


@pytest.mark.parametrize(
    ("capabilities", "has"),
    [
        (None, False),
        ({}, False),
        ({"tools": {}}, False),
        ({"experimental": {}}, False),
        ({"experimental": {"x": 1}}, True),
        ({"extensions": {"x": {}}}, True),
    ],
)
def test_extensions_are_those_that_were_named(capabilities, has):
    party = Party()
    party.capabilities = capabilities
    assert party.has_extensions is has


@pytest.mark.parametrize(
    ("extension", "method", "extended"),
    [
        ("io.modelcontextprotocol/tasks", "tasks/get", True),
        ("io.modelcontextprotocol/tasks", "notifications/tasks/status", True),
        ("io.modelcontextprotocol/tasks", "ping", False),
        ("com.example/x", "ping", False),
    ],
)
def test_an_extension_brings_the_methods_of_its_name_and_no_others(extension, method, extended):
    party = Party()
    assert not party.extends(method)
    party.capabilities = {"extensions": {extension: {}}}
    assert party.extends(method) is extended
