"""The header, as it is read: what is missing or odd in it harms nobody."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mcptap.recording.format.decode import decode_header
from mcptap.recording.format.header import Header, encode_environment, encode_parent
from mcptap.shim.launch import Launch
from tests.helpers import header


def read(**fields: object) -> Header:
    return Header(json.loads(header(**fields)))


def test_what_was_written_is_read_back() -> None:
    found = read()
    assert (found.name, found.argv, found.cwd) == (
        "weather",
        ["python", "weather.py"],
        "/home/someone/project",
    )
    assert (found.program, found.start_wall_us, found.has_lock) == ("/usr/bin/python", 1795987023103145, True)
    assert found.parent == {"pid": 4000, "name": "agent", "argv": ["/usr/bin/agent"]}
    assert found.stdio == {"stdin": "pipe", "stdout": "pipe", "stderr": "pipe"}


def test_an_empty_header_has_nothing_to_say() -> None:
    found = Header({})
    assert (found.name, found.argv, found.cwd, found.program) == ("server", [], "", None)
    assert (found.parent, found.environment, found.stdio, found.start_wall_us) == ({}, {}, {}, 0)
    assert found.has_lock


@pytest.mark.parametrize(
    "odd", [None, True, 1, -1, 1.5, 1 << 80, "x", [None, 3], {"stdin": "pipe"}, {"pid": []}]
)
def test_a_field_of_another_type_is_as_none(odd: object) -> None:
    header = {name: odd for name in read().fields if name != "k"}
    found = Header(header)
    assert found.start_wall_us in (0, 1)
    assert found.name in ("server", "x")
    assert all(isinstance(found.fields.get(name, ""), str) for name in ("session", "start", "version"))
    assert found.encoded_launch()
    assert all(isinstance(word, str) for word in found.argv)
    assert isinstance(found.parent, dict)
    assert set(found.stdio.values()) <= {"", "x"}


def test_bytes_that_are_not_utf8_come_as_surrogate_escapes() -> None:
    assert read(argv=[{"b64": "//4="}, {"b64": "?"}], cwd={"b64": "L/8="}).argv == ["\udcff\udcfe", ""]
    assert read(cwd={"b64": "L/8="}).cwd == "/\udcff"


def test_a_parent_is_written_as_far_as_it_is_known() -> None:
    assert json.loads(encode_parent(7)) == {"pid": 7}
    assert json.loads(encode_parent(7, b"a\xff")) == {"pid": 7, "name": {"b64": "Yf8="}}


def test_a_parent_is_told_from_others_with_its_pid_by_when_it_began() -> None:
    assert json.loads(encode_parent(7, b"a", start=12)) == {"pid": 7, "start": 12, "name": "a"}
    found = decode_header(Launch([b"server"], None, {}, "server").header(locked=True)).parent
    assert ("start" in found) is Path(f"/proc/{os.getppid()}/stat").exists()
    launch = Launch([b"server"], None, {}, "server")
    launch.parent = 1, b"played", []
    assert "start" not in decode_header(launch.header(locked=True)).parent


def test_a_name_that_is_not_utf8_is_written_with_its_odd_bytes_spelled() -> None:
    written = json.loads(encode_environment([b"\xff"], [(b"\xff", b"x")], []))
    assert written == {"names": [{"b64": "/w=="}], "values": {"\\xff": "x"}, "placeholders": {}}


def test_what_the_tap_did_not_stand_in_is_told_and_else_is_not_mentioned() -> None:
    launch = Launch([b"server"], None, {}, "server")
    found = decode_header(launch.header(locked=True))
    assert (found.unrecorded, found.joined) == ([], False)
    assert not {"unrecorded", "joined"} & found.fields.keys()
    launch.unrecorded, launch.joined = ["c2s"], True
    found = decode_header(launch.header(locked=True))
    assert (found.unrecorded, found.joined) == (["c2s"], True)


def test_half_a_character_is_replaced_and_bytes_that_are_not_utf8_stay():
    assert Header({"argv": ["a\ud800b", "a\udcffb"]}).argv == ["a?b", "a\udcffb"]


def test_what_a_probe_was_for_is_told_and_a_recording_without_it_is_none_of_a_probe():
    launch = Launch([b"server"], None, {}, "server")
    assert decode_header(launch.header(locked=True)).probe == ""
    launch.probe = 'as "x"'
    assert decode_header(launch.header(locked=True)).probe == 'as "x"'


def test_probes_of_versions_that_did_not_mark_them_are_known_by_their_parent():
    assert Header({"parent": {"pid": 1, "name": "mcptap probe"}}).probe == "unmarked"
    assert Header({"parent": {"pid": 1, "name": "mcptap send"}}).probe == ""
