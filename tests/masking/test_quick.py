"""The quick look against the slow one: it never passes over anything that the masker changes."""

from __future__ import annotations

import json
import random
from base64 import b64encode

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


@pytest.mark.parametrize(
    ("harmless", "secret"),
    [
        ("xnAKIAIOSFODNN7EXAMPLE1", "see\\nAKIAIOSFODNN7EXAMPLE1"),
        ("see nAKIAIOSFODNN7EXAMPLE1", "see\\nAKIAIOSFODNN7EXAMPLE1"),
        ("the token session error first", "token: hunter22hunter"),
        ('{"text":"the session_key fails here"}', '{"session_key":"hunter22"}'),
    ],
)
def test_a_word_that_was_harmless_elsewhere_is_looked_at_again(harmless, secret):
    assert holds_nothing(harmless.encode())
    assert not holds_nothing(secret.encode())


def test_many_words_do_not_fill_the_memory_and_none_is_forgotten_to_be_a_name(monkeypatch):
    monkeypatch.setattr("mcptap.masking.quick._MANY", 3)
    for number in range(9):
        assert holds_nothing(b"the token is_%d said and done" % number)
        assert not holds_nothing(b'{"token":"hunter22","a":"is_%d"}' % number)


def test_bytes_that_are_no_text_seldom_need_a_slow_look():
    chance = random.Random(3)
    strings = (b64encode(chance.randbytes(90)) for _ in range(60))
    assert sum(holds_nothing(b'{"data":"%b"}' % spelled) for spelled in strings) >= 50
    colour = b64encode(b"a \x1b[1mpa\x1b[0mss=hunter2hunter2")
    assert not holds_nothing(b'{"data":"%b"}' % colour)


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
