"""Files as bytes: what is no configuration is refused in a sentence."""

from __future__ import annotations

import os

import pytest

from mcptap.clients.configs.document import MOST_BYTES, read_document, read_file
from mcptap.clients.configs.nodes import UnreadableDocument
from mcptap.clients.configuration import Syntax

SYNTAXES = pytest.mark.parametrize("syntax", [Syntax.JSON, Syntax.JSONC])


@SYNTAXES
@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("{}".encode("utf-16"), "it is UTF-16; save it as UTF-8"),
        ("{}".encode("utf-16-be"), "it is UTF-16; save it as UTF-8"),
        ("{}".encode("utf-16-le"), "it is UTF-16; save it as UTF-8"),
        (b'{\n"a": "\xff"}', "it is not UTF-8 here (line 2, column 7)"),
        (b'{"a": "x\0"}', "it holds a NUL byte, which no configuration has (line 1, column 9)"),
        (b"\xef\xbb\xbf\xef\xbb\xbf{}", "it begins with two byte order marks"),
    ],
)
def test_other_encodings_than_utf_8_are_refused(data, words, syntax):
    with pytest.raises(UnreadableDocument) as caught:
        read_document(data, syntax)
    assert str(caught.value) == words


def test_a_file_is_read_as_its_bytes(tmp_path):
    (tmp_path / "a.json").write_bytes(b"\xef\xbb\xbf{}\r\n")
    assert read_file(tmp_path / "a.json") == b"\xef\xbb\xbf{}\r\n"


def test_what_is_no_regular_file_is_refused_and_nobody_waits_for_it(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(UnreadableDocument):
            read_file(path)


def test_a_file_that_is_not_there_is_the_callers_to_tell(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "none")


def test_a_huge_file_is_not_read_into_memory(tmp_path):
    with open(tmp_path / "huge", "wb") as file:
        file.truncate(MOST_BYTES * 4)
    with pytest.raises(UnreadableDocument, match="too large for a configuration"):
        read_file(tmp_path / "huge")
