"""The quick look against the slow one: it never passes over anything that the masker changes."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.masking.masker import Masker
from mcptap.masking.quick import holds_nothing
from tests.masking.planting import message_with

PIECES = (
    *("password", "token", "key", "api_key", "secret", "auth", "cookie", "session", "name", "value", "args"),
    *(
        "-",
        "--",
        "=",
        ": ",
        " ",
        "  ",
        "\n",
        "\t",
        '"',
        "'",
        "\\",
        "`",
        "[",
        "]",
        "{",
        "}",
        ",",
        ".",
        "/",
        "://",
    ),
    *(
        "@",
        "%41",
        "abc123def456",
        "hunter22",
        "is",
        "was",
        "the",
        "basic ",
        "Bearer ",
        "curl ",
        "-u ",
        "bob:x1y2",
    ),
    *("Authorization", "ghp_", "A1b2C3d4E5f6G7h8", "sk-", "AKIA", "eyJ", "…", "é", "日本", "description"),
    *(
        "1234567",
        "progressToken",
        "tools/call",
        "deadbeef" * 4,
        "cGFzc3dvcmQ9aHVudGVyMjI=",
        "K",
        "ſ",
        "\x1b[1m",
    ),
    *("response handler token session error", "&", "?", ";", "\u00a0", "\0", "‹masked:ab12cd›"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
VALUES = st.recursive(
    TEXTS | st.sampled_from([1, 12345678, True, None]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "value", "text", "args", "x", "headers"]) | TEXTS, inner, max_size=3
        )
        | st.builds(json.dumps, inner)
    ),
    max_leaves=6,
)


def assert_nothing_is_passed_over(data: bytes) -> None:
    """Neither as a line, nor as the text of a record, nor as a string within another."""
    if holds_nothing(data):
        assert Masker(b"k").data(data) == data
    text = data.decode(errors="replace")
    if Masker(b"k").text(text) != text or Masker(b"k").data(text.encode()) != text.encode():
        for spelled in (json.dumps(text), json.dumps({"k": "line", "text": text}, ensure_ascii=False)):
            assert not holds_nothing(spelled.encode())
            assert not holds_nothing(json.dumps(spelled).encode())


@settings(max_examples=150)
@given(TEXTS)
def test_of_no_text_anything_is_passed_over(text):
    assert_nothing_is_passed_over(text.encode())


@settings(max_examples=100)
@given(VALUES, st.booleans(), st.integers(0, 30))
def test_of_no_message_anything_is_passed_over(value, is_ascii, cut):
    text = json.dumps({"jsonrpc": "2.0", "id": 1, "result": value}, ensure_ascii=is_ascii)
    assert_nothing_is_passed_over(text.encode(errors="surrogatepass"))
    assert_nothing_is_passed_over(text[: len(text) - cut].encode(errors="surrogatepass"))


@pytest.mark.parametrize(
    "text",
    [
        '{"n":3,"text":"cGFzc3dvcmQ9aHV',
        '{"n":3,"text":"%scGFzc3dvcmQ9aHVudGVyMjI="}' % ("deadbeef" * 8),
        "secret  curl\u00e9propertiesnameS3cr3tValue9#is",
    ],
)
def test_what_once_was_passed_over_is_not(text):
    for _ in range(2):  # what is remembered of the first time counts as well
        assert not holds_nothing(text.encode())
        assert not holds_nothing(f"{{}}\n{text}\n{{}}".encode())


def test_of_no_planted_secret_anything_is_passed_over():
    chance = random.Random(7)
    for _ in range(1_500):
        data, _ = message_with(chance)
        assert not holds_nothing(data)


@pytest.mark.parametrize(
    "text",
    [
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"path":"src/a.py"}}}',
        '{"params":{"name":"x","_meta":{"progressToken":7}},"jsonrpc":"2.0","id":7,"method":"tools/call"}',
        '{"result":{"content":[{"type":"text","text":"the token session error first, key fails"}]}}',
        '{"n":9,"k":"line","t":72742,"wall":1796143790306257,"ch":"stderr","text":"INFO  server: up, 12"}',
        '{"result":{"tools":[{"name":"list","description":"Lists.\\nNo more.","inputSchema":{"type":"x"}}]}}',
        "WARN  retrying upstream (attempt 2), 7 of 9 → 503",
        '{"sha":"9b74c9897bac770ffc029102a200c5de5d0c1e9f","size":12}',
    ],
)
def test_ordinary_lines_need_no_slow_look(text):
    assert holds_nothing(text.encode())
