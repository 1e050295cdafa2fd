"""mcptap.lock as text: read back as it was written, merged by git, and refused in a sentence."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.errors import UserError
from mcptap.protocol.contract.lock import LockedServer
from mcptap.protocol.contract.lock_file import lock_text, parse_lock, read_lock
from mcptap.protocol.contract.offer import offer_of
from tests.protocol.contract.samples import offering, tool


def server(*tools: dict[str, object], name: str = "weather") -> LockedServer:
    return offer_of(offering(*tools)).approved(name)


def test_a_lock_is_read_back_as_it_was_written():
    servers = {"b": server(tool("x"), name="b"), "a": server(tool("y", "Hidden\u200b."), name="a")}
    text = lock_text(servers.values())
    assert "\u200b" not in text
    read = parse_lock(text.encode(), "mcptap.lock")
    assert list(read) == ["a", "b"]
    assert lock_text(read.values()) == text
    assert text.startswith('{"mcptap-lock":1,')
    assert "First sight is trusted" in text.split("\n")[0]


def test_each_thing_has_a_line_and_lines_are_sorted():
    lines = [line for line in lock_text([server(tool("b"), tool("a"))]).split("\n") if line]
    assert [json.loads(line).get("tool") for line in lines] == [None, None, "a", "b"]


def merged(tmp_path: Path, base: str, ours: str, theirs: str, *options: str) -> str:
    paths = [tmp_path / name for name in ("ours", "base", "theirs")]
    for path, text in zip(paths, (ours, base, theirs), strict=True):
        path.write_text(text)
    run = subprocess.run(
        ["git", "merge-file", "-p", *options, *map(str, paths)], capture_output=True, check=False
    )
    assert run.returncode == 0
    return run.stdout.decode()


@pytest.mark.skipif(shutil.which("git") is None, reason="git merges here")
def test_two_approvals_of_different_tools_merge(tmp_path: Path):
    old, new = [tool(name) for name in "abc"], [tool(name, "Better.") for name in "abc"]
    texts = [
        lock_text([server(*tools)])
        for tools in (old, [new[0], old[1], old[2]], [old[0], new[1], old[2]], [*new[:2], old[2]])
    ]
    assert merged(tmp_path, *texts[:3]) == texts[3]
    added = [lock_text([server(*old, tool(name))]) for name in ("d", "e")]
    both = merged(tmp_path, texts[0], *added, "--union")
    assert set(parse_lock(both.encode(), "x")["weather"].items) == {("tool", name) for name in "abcde"}


HEAD = '{"mcptap-lock":1}\n'
SERVER = '{"server":"a"}\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no mcptap.lock: it is empty"),
        ('{"a":1}', "line 1: is no mcptap.lock"),
        ('{"mcptap-lock":2}', "newer mcptap (format 2, and this one reads 1): update mcptap"),
        ('{"mcptap-lock":"x"}', "line 1: 'x' is no format"),
        (HEAD + "\n{", "line 3: is no JSON"),
        (HEAD + "[]", "line 2: is no line of a lock"),
        (HEAD + "<<<<<<< ours\n", "line 2: a merge left a conflict"),
        (HEAD + '{"tool":"x"}', 'line 2: has no text "server"'),
        (HEAD + '{"server":"a","tool":"x","full":{}}', "line 2: the server a has no line of its own"),
        (HEAD + SERVER + '{"server":"a","tool":"x"}', 'line 3: has no text "words"'),
        (HEAD + SERVER + '{"server":"a","tool":"x","full":1}', 'line 3: "full" has to be an object'),
        (HEAD + '{"server":"a","lists":1}', 'line 2: "lists" has to be a list of texts'),
        (
            HEAD + SERVER + '{"server":"a","tool":"x","full":{}}\n{"server":"a","tool":"x","full":{"a":1}}',
            "line 4: tool x of a stands in line 3 too, and otherwise",
        ),
    ],
)
def test_what_is_no_lock_is_refused_with_its_line(text: str, words: str):
    with pytest.raises(UserError, match=r"^the lock") as error:
        parse_lock(text.encode(), "the lock")
    assert words in str(error.value)


def test_the_same_line_twice_is_what_a_merge_leaves():
    line = '{"server":"a","tool":"x","full":{"name":"x"}}\n'
    assert len(parse_lock((HEAD * 2 + SERVER * 2 + line * 2).encode(), "x")["a"].items) == 1


@given(st.binary(max_size=60), st.integers(0, 400))
def test_a_damaged_lock_is_a_lock_or_refused(junk: bytes, at: int):
    data = lock_text([server(tool("a"))]).encode()
    try:
        parse_lock(data[:at] + junk + data[at:], "x")
    except UserError:
        pass


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(UserError, match=r"no\.lock: cannot be read: No such file"):
        read_lock(str(tmp_path / "no.lock"))
