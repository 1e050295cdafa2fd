import json

import pytest

from mcptap.jsontext.tree import Number, Object, dumps, parse, parse_deep
from mcptap.masking.masker import Masker


def masked(value):
    made = Masker().value(value)
    return json.loads(json.dumps(made), object_hook=_plain)


def _plain(value):
    return {name: _short(item) for name, item in value.items()}


def _short(item):
    if isinstance(item, list):
        return [_short(one) for one in item]
    if isinstance(item, str):
        head, mask, _ = item.partition("‹masked:")
        return head + "▒" if mask else item
    return item


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"Authorization": ["Bearer a", "b"]}, {"Authorization": ["Bearer ▒", "▒"]}),
        (
            {"apiKeys": ["a"], "passwordHash": "b", "tokenValue": "c"},
            dict.fromkeys(("passwordHash", "tokenValue"), "▒") | {"apiKeys": ["▒"]},
        ),
        ({"name": "API_KEY", "value": "a"}, {"name": "API_KEY", "value": "▒"}),
        (
            {"rawHeaders": ["Host", "h", "Authorization", "Bearer a"]},
            {"rawHeaders": ["Host", "h", "Authorization", "Bearer ▒"]},
        ),
        (
            {"h": [["Authorization", "Basic a"], ["Host", "h"]]},
            {"h": [["Authorization", "Basic ▒"], ["Host", "h"]]},
        ),
        ({"args": ["--token", "a", "-v"]}, {"args": ["--token", "▒", "-v"]}),
        ({"args": ["x", "--key=1"]}, {"args": ["x", "--key=1"]}),
        (
            {"env": {"API_KEY": "${API_KEY}", "X_TOKEN": "a"}},
            {"env": {"API_KEY": "${API_KEY}", "X_TOKEN": "▒"}},
        ),
        ({"credentials": {"username": "u", "other": "a"}}, {"credentials": {"username": "u", "other": "▒"}}),
        (
            {"password": 1234, "token": 7, "tokens": {"in": 12345678}},
            {"password": "▒", "token": 7, "tokens": {"in": 12345678}},
        ),
        ({"password": None, "token": True, "secret": ""}, {"password": None, "token": True, "secret": ""}),
        ({"PWD": "/a", "pwd": "/b", "key": "PROJ-1"}, {"PWD": "/a", "pwd": "/b", "key": "PROJ-1"}),
    ],
)
def test_secrets_are_found_by_the_names_around_them(value, expected):
    assert masked(value) == expected


def test_members_of_the_protocol_are_never_masked():
    jwt = "eyJhbGciOiJI.eyJzdWIiOiIx.abcdefgh"
    for message in (
        {
            "jsonrpc": "2.0",
            "id": jwt,
            "method": "x",
            "params": {"cursor": jwt, "_meta": {"progressToken": jwt}},
        },
        {"jsonrpc": "2.0", "id": 1, "result": {"nextCursor": jwt, "requestState": jwt, "maxTokens": 1000000}},
        {"method": "y", "params": {"progressToken": jwt, "max_tokens": 1000000}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": jwt}},
        {"jsonrpc": "2.0", "id": 2, "result": {"task": {"taskId": jwt}}},
    ):
        assert Masker().value(message) == message


def test_a_schema_is_left_alone_but_for_its_values():
    schema = {
        "name": "get_token",
        "description": "set password=VALUE123 first",
        "inputSchema": {
            "type": "object",
            "properties": {
                "password": {"type": "string", "description": "the password: abc123def"},
                "token": {"type": "string", "enum": ["a1b2c3d4"], "default": "hunter2"},
                "credentials": {"type": "object", "properties": {"apiKey": {"type": "string"}}},
            },
            "required": ["password", "token"],
        },
    }
    made = Masker().value(schema)
    assert made["inputSchema"]["properties"]["token"].pop("default").startswith("‹masked:")
    del schema["inputSchema"]["properties"]["token"]["default"]
    assert made == schema


def test_arguments_that_are_called_properties_are_no_schema():
    assert "hunter2" not in json.dumps(Masker().value({"properties": {"password": "hunter2"}}))


def test_doubled_names_numbers_and_order_stay():
    text = '{"b":1.0,"a":1e5,"b":{"token":"x1"},"c":[-0]}'
    made = Masker().value(parse(text))
    assert isinstance(made, Object)
    assert dumps(made).replace(dumps(made[2][1][0][1]), '"x1"') == text
    assert type(made[0][1]) is Number


def test_a_value_may_nest_as_deep_as_it_likes():
    deep = parse_deep('{"a":[' * 6_000 + '{"password":"hunter2"}' + "]}" * 6_000)
    made = dumps(Masker().value(deep))
    assert "hunter2" not in made
    assert made.count("[") == 6_000
