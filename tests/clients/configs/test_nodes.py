"""Steps from value to value, and places for people."""

from __future__ import annotations

from mcptap.clients.configs.document import read_document
from mcptap.clients.configs.nodes import at, member, position
from mcptap.clients.configuration import Syntax

ROOT = read_document(b'{"a": [{"b": 1}, 2], "a": [3]}', Syntax.JSON).root


def test_of_members_with_one_key_the_last_is_found():
    assert member(ROOT, "a").value.value == [3]
    assert member(ROOT, "c") is None
    assert member(None, "a") is None


def test_a_path_that_leads_nowhere_gives_nothing():
    assert at(ROOT, "a", 0).value == 3
    assert at(ROOT, "a", 1) is None
    assert at(ROOT, "a", 0, "b") is None
    assert at(ROOT, "x", "y") is None


def test_lines_and_columns_count_from_one():
    assert position(b"a\r\nbc", 4) == (2, 2)
    assert position(b"\xef\xbb\xbfa", 3) == (1, 1)
    assert position("é\n😀x".encode(), 7) == (2, 2)


def test_a_place_is_the_same_counted_from_the_beginning_or_from_its_line():
    data = b'\xef\xbb\xbf{"a":\r\n "\xc3\xa9",\n\n1}'
    for offset in range(3, len(data) + 1):
        before = data[3:offset].replace(b"\r\n", b"\n")
        line, column = before.count(b"\n") + 1, len(before.rpartition(b"\n")[2].decode(errors="replace")) + 1
        assert position(data, offset) == (line, column)
