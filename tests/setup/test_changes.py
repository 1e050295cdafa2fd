"""A change as a whole: checked before it is made, and on record before it is written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from mcptap.clients.configs.find import surroundings
from mcptap.clients.table import CLIENTS
from mcptap.errors import UserError
from mcptap.setup import changes
from mcptap.setup.changes import Change, FileChange, is_as_written, planned, unwrap_change, wrap_change
from mcptap.setup.choice import Candidate, candidates
from mcptap.setup.edits import Edit
from mcptap.setup.opened import open_named
from mcptap.setup.records import record_of

DATA = b'{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y", "args": []}}}'


@pytest.fixture(autouse=True)
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "config.json").write_bytes(DATA)
    return tmp_path.resolve() / "config.json"


def every(path: Path) -> list[Candidate]:
    return candidates(open_named(str(path), CLIENTS["cursor"], surroundings()).opened, "", lambda *_: "")


def raised(error: UserError) -> None:
    raise error


def planned_all(
    chosen: Iterable[Candidate], change_of: Callable[[Candidate], Change], wraps: bool = True
) -> FileChange:
    (change,) = planned(chosen, change_of, wraps=wraps, refused=raised)
    return change


def wrapped(path: Path, *names: str) -> FileChange:
    chosen = [one for one in every(path) if one.entry.name in names]
    return planned_all(chosen, lambda one: wrap_change(one, ["/o/mcptap"], ["--quiet"]))


def test_the_record_grows_and_shrinks_with_what_is_written(path: Path) -> None:
    wrapped(path, "a").make()
    wrapped(path, "b").make()
    assert [entry.name for entry in record_of(str(path)).entries] == ["a", "b"]
    first = [one for one in every(path) if one.entry.name == "a"]
    planned_all(first, unwrap_change, wraps=False).make()
    assert [entry.name for entry in record_of(str(path)).entries] == ["b"]
    assert path.read_bytes() == DATA.replace(
        b'"y", "args": []', b'"/o/mcptap", "args": ["run", "--name", "b", "--quiet", "--", "y"]'
    )


def test_of_a_file_that_can_not_be_written_nothing_is_on_record(path: Path) -> None:
    change = wrapped(path, "a")
    path.write_bytes(DATA + b"\n")
    with pytest.raises(UserError, match="changed by another program"):
        change.make()
    assert record_of(str(path)).entries == ()


def test_killed_before_the_file_is_replaced_there_is_a_record_too_many(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kill(*arguments: object) -> str:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(changes, "replace", kill)
        patched.setattr(
            changes, "keep", lambda record, kept=changes.keep: kept(record) if record.entries else None
        )
        with pytest.raises(SystemExit):
            wrapped(path, "a").make()
    assert [entry.name for entry in record_of(str(path)).entries] == ["a"]
    assert not any(map(is_as_written, every(path)))
    wrapped(path, "a").make()
    assert len(record_of(str(path)).entries) == 1


@pytest.mark.parametrize("new", [b'"command": "z"', b'"command": "x", "env": {}', b'"command":'])
def test_an_edit_that_does_more_is_not_made(path: Path, monkeypatch: pytest.MonkeyPatch, new: bytes) -> None:
    wraps = changes.wrapping

    def wrong(*arguments: object) -> object:
        edits, record = wraps(*arguments)  # type: ignore[arg-type]
        at = DATA.index(b'"command": "y"')
        return [*edits, Edit(at, at + 14, new)], record

    monkeypatch.setattr(changes, "wrapping", wrong)
    with pytest.raises(UserError, match="would touch more than the command; nothing is changed"):
        wrapped(path, "a")


def test_an_option_that_run_does_not_have_is_never_written(path: Path) -> None:
    with pytest.raises(UserError, match="nothing is changed"):
        planned_all(every(path)[:1], lambda one: wrap_change(one, ["/o/mcptap"], ["--no-such-option"]))


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners of POSIX")
def test_what_can_not_be_replaced_is_said_before_anybody_is_asked(path: Path) -> None:
    os.link(path, path.with_name("other"))
    with pytest.raises(UserError, match="hard links"):
        wrapped(path, "a")
