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


def test_every_module_of_the_formats_holds_one_or_helps_and_the_surest_is_asked_first():
    package = mcptap.captures.formats
    names = [module.name for module in walk_packages(package.__path__, f"{package.__name__}.")]
    held = [module.FORMAT for module in map(import_module, names) if hasattr(module, "FORMAT")]
    assert {one.name for one in held} == {one.name for one in formats()}
    assert len({one.name for one in held}) == len(held)
    certainties = [one.certainty for one in formats()]
    assert certainties == sorted(certainties)
    assert certainties[-1] is Certainty.GUESSED


def test_what_is_refused_is_told_how_it_begins_and_where_all_that_is_read_is_listed():
    with pytest.raises(RecordingError) as raised:
        read("hello\n")
    assert 'it begins "hello"' in str(raised.value)
    assert "mcptap check --help-formats" in str(raised.value)


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
    marked = [
        b"known: everything\n",
        b'{"session_id":"a","direction":"c2s","seq":1,"raw":{}}\n',
        b'{"type":"header","cassetteVersion":2}\n',
        b'{"type":"glassport.header","schema_version":"0.2"}\n',
        b'{"format":"mcp-trace/1"}\n',
        b'{"ts":1.5,"dir":"client->server","msg":{}}\n',
        b'{"seq":0,"direction":"client-to-server","transport":"stdio","kind":"lifecycle"}\n',
        f"Script started on x\n{INITIALIZE}\n".encode(),
    ]
    by_most_lines = [
        b"",
        f"{INITIALIZE}\n".encode() * 9,
        f"--> {INITIALIZE}\n".encode(),
        b'{"dir":"c2s","raw":"x"}\n' * 9,
    ]
    for head in (*marked, *by_most_lines):
        try:
            read(head + data)
        except RecordingError:
            assert head in by_most_lines


@given(st.lists(st.binary(max_size=60) | st.text(max_size=60).map(str.encode), max_size=8))
def test_no_bytes_behind_system_calls_make_a_decoder_raise_anything_but_its_error(lines: list[bytes]):
    message = json.dumps(f"{INITIALIZE}\n").encode()
    calls = [b"[pid 1] read(0, %b, 65536) = 59" % message] * 9
    calls += [
        call for line in lines for call in (b'[pid 1] write(1, "' + line, b'write(1, "%b", 9) = 9' % line)
    ]
    try:
        read(b"\n".join(calls))
    except RecordingError:
        assert len(lines) > 4


NAMES = (
    "dir raw text type frame t data id method result error jsonrpc session_id direction seq ts truncated "
    "transport cassetteVersion startedAt command format_version messages sender payload server_info kind "
    "server format version at argv frame schema_version gate msg _raw _unparsed session body elapsed_ms"
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
