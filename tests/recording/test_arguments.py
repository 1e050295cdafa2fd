"""Which words of a command line are paths that depend on the folder."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.recording.arguments import relative_path


@pytest.mark.parametrize(
    ("word", "path"),
    [
        (b"server.py", b"server.py"),
        (b"./out.log", b"./out.log"),
        (b"../tools/project.toml", b"../tools/project.toml"),
        (b"--settings=../x.toml", b"../x.toml"),
        (b"-c=conf/x", b"conf/x"),
        (b"data\\notes.db", b"data\\notes.db"),
        (b"my notes/a.md", b"my notes/a.md"),
    ],
)
def test_a_relative_path_is_found(word: bytes, path: bytes) -> None:
    assert relative_path(word) == path


@pytest.mark.parametrize(
    "word",
    [b"", b"-y", b"--verbose", b"run", b"/srv/server.py", b"~/x.py", b"@scope/server", b"https://x.org/a",
     b".", b"C:\\x\\y.py", b"\\\\host\\x", b"$HOME/x", b"%HOME%/x", b"--root=/srv", b".json",
     b"x" * 5000 + b"/y"],
)  # fmt: skip
def test_other_words_are_none(word: bytes) -> None:
    assert relative_path(word) == b""


@given(st.binary(max_size=40))
def test_what_is_found_stands_in_the_word(word: bytes) -> None:
    assert relative_path(word) in word
