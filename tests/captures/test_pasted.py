"""Logs that were pasted: each sample, in what a paste puts around it, is read as the file itself."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.open import open_source, open_sources, source_of
from mcptap.captures.pasted import COLOURS, FENCE, INDENT, LONGEST, QUOTATION, Undressed, dress_of
from mcptap.recording.format.model import Line
from tests.captures.reading import INITIALIZE, judged

SAMPLES = Path(__file__).parent / "samples"
LOGS = [
    SAMPLES / "claude_desktop" / "mcp-server-harbour.2025-03.log",
    SAMPLES / "csharp" / "console.trace.txt",
    SAMPLES / "inspector" / "export.json",
    SAMPLES / "recorders" / "wayv.jsonl",
    SAMPLES / "vscode" / "output.trace.log",
    SAMPLES / "zed" / "trace.log",
]


def coloured(data: bytes) -> bytes:
    return b"".join(b"\x1b[32m" + line.rstrip(b"\n") + b"\x1b[0m\n" for line in data.splitlines(True))


def before_each(data: bytes, mark: bytes) -> bytes:
    return b"".join(mark + line for line in data.splitlines(True))


PASTES = {
    "with carriage returns": lambda data: data.replace(b"\n", b"\r\n"),
    "behind a byte-order mark": lambda data: b"\xef\xbb\xbf" + data,
    "in colours": coloured,
    "quoted": lambda data: before_each(data, b"> "),
    "indented": lambda data: before_each(data, b"    "),
    "in a fence": lambda data: b"```log\n" + data + b"\n```\n",
    "in a fence, quoted": lambda data: before_each(b"```\n" + data + b"\n```\n", b"> "),
}


@pytest.mark.parametrize("paste", PASTES)
@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.parent.name)
def test_a_paste_says_what_the_log_says(path: Path, paste: str, tmp_path: Path):
    pasted = tmp_path / path.name
    pasted.write_bytes(PASTES[paste](path.read_bytes()))
    assert [f.rule for f in judged(pasted)] == [f.rule for f in judged(path)]


def test_sessions_of_a_paste_are_told_apart_and_what_was_taken_off_is_told(tmp_path: Path):
    pasted = tmp_path / "mcp.log"
    pasted.write_bytes(before_each((SAMPLES / "claude_desktop" / "mcp.log").read_bytes(), b"> "))
    names = []
    for source in open_sources(str(pasted)):
        with closing(source):
            names.append(source.header.name)
            assert QUOTATION.words in source.evidence.assumptions
    assert names == ["notes", "harbour", "tickets"]
    with closing(open_source(f"{pasted}#2")) as source:
        assert any(isinstance(item, Line) for item in source.items())


@pytest.mark.parametrize(
    ("lines", "dress"),
    [
        ([b"> a", b">", b"> b"], QUOTATION),
        ([b">>> a", b"> b"], None),
        ([b"    a", b"\tb"], INDENT),
        ([b"```json", b"a", b"```"], FENCE),
        ([b"a", b"```", b"b", b"```"], None),
        ([b"```", b"a", b"```", b"b", b"```"], None),
        ([b"\x1b[1mA\x1b[0m", b"b"], None),
        ([b"\x1b[1mA\x1b[0m"], COLOURS),
        ([b"a"], None),
        ([], None),
    ],
)
def test_only_what_stands_around_all_lines_is_taken_off(lines: list[bytes], dress: object):
    assert dress_of(lines) is dress


@given(st.lists(st.sampled_from([b"> a", b">", b"\n", b"\r\n", b"x" * 9]), max_size=12), st.integers(1, 9))
def test_lines_stay_lines_wherever_blocks_end(pieces: list[bytes], size: int):
    data = b"".join(pieces)
    blocks = iter([data[i : i + size] for i in range(0, len(data), size)])

    class Source:
        def read(self, _size: int, /) -> bytes:
            return next(blocks, b"")

        def close(self) -> None:
            pass

    stream = Undressed(Source(), QUOTATION)
    found = b"".join(iter(lambda: stream.read(size), b""))
    assert found == b"\n".join(map(QUOTATION.plain, data.split(b"\n")))


def test_a_line_without_an_end_is_given_in_pieces():
    source = source_of("log", f"> {INITIALIZE}\n> {'x' * (LONGEST + 9)}\n".encode())
    assert len(list(source.items())) == 2
