"""Programs and command lines as Windows has them; pure functions, so they are tested anywhere."""

from __future__ import annotations

import ntpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.shim.resolve_windows import candidates, command_line, explain, find_program

ENVIRON = {b"Path": rb'C:\nodejs;"C:\with space";', b"PathExt": b".EXE;.CMD"}


def test_a_name_without_suffix_is_tried_with_each_suffix_here_and_on_the_path() -> None:
    assert candidates(b"npx", ENVIRON) == [
        b"npx.exe", b"npx.cmd", b"npx",
        rb"C:\nodejs\npx.exe", rb"C:\nodejs\npx.cmd", rb"C:\nodejs\npx",
        rb"C:\with space\npx.exe", rb"C:\with space\npx.cmd", rb"C:\with space\npx",
    ]  # fmt: skip


@pytest.mark.parametrize("program", [b"npx.CMD", rb"C:\x\npx.exe", rb"bin\npx.cmd", b"c:npx.exe"])
def test_a_name_with_a_suffix_is_taken_as_it_is(program: bytes) -> None:
    found = candidates(program, ENVIRON)
    assert found[0] == program
    assert len(found) == (3 if program == b"npx.CMD" else 1)
    assert {ntpath.basename(path) for path in found} == {ntpath.basename(program)}


def test_no_name_is_no_program() -> None:
    assert candidates(b"", ENVIRON) == []
    assert explain(b"", {}, 2)[1] == 127


def test_the_first_candidate_that_is_a_file_is_started() -> None:
    files = {rb"C:\nodejs\npx.cmd", rb"C:\with space\npx.exe"}
    assert find_program(b"npx", ENVIRON, files.__contains__) == rb"C:\nodejs\npx.cmd"
    assert find_program(b"uvx", ENVIRON, files.__contains__) is None


def test_a_program_that_is_not_there_is_explained_with_the_path() -> None:
    sentence, status = explain(b"npx", ENVIRON, 2)
    assert sentence.startswith("cannot start 'npx': there is no such program, with any suffix of PATHEXT")
    assert r"C:\nodejs" in sentence
    assert status == 127


def taken_apart(line: str) -> list[str]:
    """The words of a command line, as the C runtime of Windows (and CommandLineToArgvW) takes it apart."""
    words: list[str] = []
    word: list[str] | None = None
    quoted = False
    at = 0
    while at < len(line):
        backslashes = 0
        while line[at : at + 1] == "\\":
            backslashes, at = backslashes + 1, at + 1
        c = line[at : at + 1]
        if backslashes:
            word = [] if word is None else word
            word.append("\\" * (backslashes // 2 if c == '"' else backslashes))
        if c == '"' and backslashes % 2:
            word = [] if word is None else word
            word.append('"')
        elif c == '"':
            word, quoted = [] if word is None else word, not quoted
        elif c in (" ", "\t") and not quoted:
            if word is not None:
                words.append("".join(word))
            word = None
        elif c:
            word = [] if word is None else word
            word.append(c)
        at += 1
    return words + (["".join(word)] if word is not None else [])


ODD_TEXT = st.text(st.sampled_from(list('ab \t"\\^%&|<>()!')), max_size=8)


@given(st.lists(ODD_TEXT, max_size=4))
def test_a_program_gets_the_arguments_that_were_given(arguments: list[str]) -> None:
    assert taken_apart(command_line(r"C:\a b\x.exe", arguments)) == [r"C:\a b\x.exe", *arguments]


def unescaped(text: str) -> str:
    """What cmd.exe makes of carets outside of its quotes; here every quote is escaped."""
    out, at = [], 0
    while at < len(text):
        at += text[at] == "^"
        out.append(text[at])
        at += 1
    return "".join(out)


@given(st.lists(ODD_TEXT.filter(lambda text: "\t" not in text), max_size=4))
def test_a_batch_file_gets_the_arguments_through_both_of_its_parsers(arguments: list[str]) -> None:
    line = command_line(r"C:\a b\npx.cmd", arguments)
    assert line.startswith('cmd.exe /d /s /c "')
    assert line.endswith('"')
    inner = unescaped(line.removeprefix('cmd.exe /d /s /c "')[:-1])
    program, _, rest = inner.partition('npx.cmd"')
    assert program == '"C:\\a b\\'
    assert taken_apart(unescaped(rest)) == arguments
