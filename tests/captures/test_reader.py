"""Whatever a capture holds: it is read, or refused with a sentence."""

import json
from importlib import import_module
from pkgutil import walk_packages

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mcptap.captures.formats
from mcptap.captures.format import Certainty
from mcptap.captures.formats import formats
from mcptap.recording.format.model import Damaged, Line, RecordingError
from tests.captures.reading import INITIALIZE, read


def test_every_module_of_the_formats_holds_one_and_the_surest_is_asked_first():
    package = mcptap.captures.formats
    found = [m for m in walk_packages(package.__path__, f"{package.__name__}.") if not m.ispkg]
    held = [import_module(module.name).FORMAT for module in found]
    assert {one.name for one in held} == {one.name for one in formats()}
    assert len({one.name for one in held}) == len(held)
    certainties = [one.certainty for one in formats()]
    assert certainties == sorted(certainties)
    assert certainties[-1] is Certainty.GUESSED


def test_what_is_refused_is_told_what_would_be_read():
    with pytest.raises(RecordingError) as raised:
        read("hello")
    assert all(one.name in str(raised.value) for one in formats())


def test_a_line_too_long_to_keep_is_damage_and_the_next_is_read(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("mcptap.captures.reader.MAX_RECORD", 100)
    _, items = read(f"{INITIALIZE}\n{'x' * 101}\n{INITIALIZE}\n")
    assert [(item.number, type(item)) for item in items] == [(1, Line), (2, Damaged), (3, Line)]


def test_a_document_too_long_to_parse_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("mcptap.captures.format.MAX_DOCUMENT", 100)
    monkeypatch.setattr("mcptap.captures.format.HEAD", 50)
    with pytest.raises(RecordingError, match="too long to read"):
        read('{"format_version":3,' + " " * 100 + '"messages":[]}')


@given(st.binary(max_size=400) | st.text(max_size=400).map(str.encode))
def test_no_bytes_make_a_decoder_raise_anything_but_its_error(data: bytes):
    heads = [
        b"",
        f"{INITIALIZE}\n".encode(),
        f"--> {INITIALIZE}\n".encode(),
        b"known: everything\n",
        b'{"dir":"c2s","raw":"x"}\n',
        b'{"session_id":"a","direction":"c2s","seq":1,"raw":{}}\n',
        b'{"type":"header","cassetteVersion":2}\n',
    ]
    for head in heads:
        try:
            read(head + data)
        except RecordingError:
            assert head == b"" or head.startswith(b"-->")


NAMES = (
    "dir raw text type frame t data id method result error jsonrpc session_id direction seq ts truncated "
    "transport cassetteVersion startedAt command format_version messages sender payload server_info"
)
KEYS = st.sampled_from(NAMES.split()) | st.text(max_size=3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(st.dictionaries(KEYS, JSON, max_size=6), min_size=1, max_size=4))
def test_no_json_makes_a_decoder_raise_anything_but_its_error(values):
    try:
        source, _ = read("\n".join(map(json.dumps, values)))
    except RecordingError:
        return
    assert source.evidence.unknown


def test_a_message_that_breaks_off_with_the_file_is_damaged_and_text_is_not():
    head = '--> {"jsonrpc":"2.0","id":1,"method":"ping"}\n[1] <-- '
    assert [type(item) for item in read(f'{head}{{"jsonrpc":"2.0","id"')[1]] == [Line, Damaged]
    assert [type(item) for item in read(f"{head}loaded")[1]] == [Line, Line]
