"""A folder that is watched, on a clock that never waits."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import trio

from mcptap.play.watch import folder as module
from mcptap.play.watch.folder import LONGEST_S, QUIET_S, Watch
from tests.play.function_server import run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "server.py").write_text("1")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / ".git").mkdir()
    return tmp_path


def names(paths: list[str]) -> list[str]:
    return [os.path.basename(path) for path in paths]


def after(watch: Watch, *changes: tuple[float, Path]) -> tuple[list[str], float]:
    """What is found of files that are written at these times, and when it is found, in seconds."""

    async def write() -> None:
        begun = trio.current_time()
        for at, path in changes:
            await trio.sleep_until(begun + at)
            path.write_text(f"{at}")

    async def play() -> tuple[list[str], float]:
        begun = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(write)
            found = await watch.changed()
        return names(found), trio.current_time() - begun

    return run(play)


def watched(folder: Path, **options: object) -> Watch:
    watch = Watch(str(folder), **options)  # type: ignore[arg-type]
    watch.run_begins()
    watch.run_ended()
    return watch


def test_a_change_a_new_file_and_one_that_went_are_seen(folder):
    watch = watched(folder)
    (folder / "src" / "server.py").unlink()
    (folder / "new").mkdir()
    (folder / "new" / "tool.py").write_text("")
    assert names(run(watch.changed)) == ["tool.py", "server.py"]


def test_a_build_that_writes_many_files_is_one_change(folder):
    writes = [(5 + n * QUIET_S * 0.9, folder / f"{n}.js") for n in range(9)]
    found, at = after(watched(folder), *writes)
    assert len(found) == 9
    assert at > writes[-1][0]


def test_what_never_stops_changing_is_not_waited_for_without_end(folder):
    watch = watched(folder)

    async def write() -> None:
        while True:
            (folder / "log").write_text(f"{trio.current_time()}")
            await trio.sleep(QUIET_S * 0.9)

    async def play() -> float:
        begun = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(write)
            await watch.changed()
            nursery.cancel_scope.cancel()
        return trio.current_time() - begun

    assert LONGEST_S <= run(play) < LONGEST_S + 5


@pytest.mark.parametrize(
    "name", ["node_modules/x.js", ".git/index", "src/.#server.py", "src/server.py~", "x.swp"]
)
def test_what_is_nobodys_source_is_not_looked_at(folder, name):
    watch = watched(folder)
    (folder / name).write_text("")
    assert not watch._changed()


def test_our_own_recordings_are_left_out(folder):
    watch = watched(folder, without=[str(folder / "records")])
    (folder / "records").mkdir()
    (folder / "records" / "x.jsonl").write_text("")
    assert not watch._changed()


def test_a_change_during_a_run_begins_another_one(folder):
    watch = watched(folder)
    watch.run_begins()
    (folder / "src" / "server.py").write_text("22")
    assert watch.run_ended() == []
    assert names(run(watch.changed)) == ["server.py"]


def test_what_the_server_writes_itself_in_each_run_begins_none_any_more(folder):
    watch = watched(folder)
    for text, told in (("a", []), ("bb", ["server.log"]), ("ccc", [])):
        watch.run_begins()
        (folder / "server.log").write_text(text)
        assert names(watch.run_ended()) == told
    assert not watch._changed()
    (folder / "server.log").write_text("by hand")
    assert names(run(watch.changed)) == ["server.log"]


def test_a_folder_that_went_is_as_if_it_were_empty(folder):
    assert Watch(str(folder / "missing")).look() == {}


def test_more_files_than_can_be_looked_at_are_said(folder, monkeypatch):
    monkeypatch.setattr(module, "MOST_FILES", 1)
    (folder / "two").write_text("")
    watch = Watch(str(folder))
    assert len(watch.look()) == 1
    assert watch.is_cut


def test_a_server_that_writes_a_file_of_another_name_each_time_does_not_run_for_ever(folder):
    watch = watched(folder)
    told = []
    for n in range(module.MOST_IN_A_ROW + 1):
        watch.run_begins()
        (folder / f"log-{n}").write_text("")
        told.append(names(watch.run_ended()))
        if n < module.MOST_IN_A_ROW:
            assert names(run(watch.changed)) == [f"log-{n}"]
    assert told == [[], [], ["log-2"]]
    assert watch.writes_new
    assert not watch._changed()
    (folder / "src" / "server.py").write_text("by hand")
    assert names(run(watch.changed)) == ["server.py"]
    watch.run_begins()
    (folder / "log-9").write_text("")
    assert watch.run_ended() == []
    assert not watch._changed()
