"""A probe that is made again on change, with a probe that starts nothing."""

from __future__ import annotations

import os
import signal

import pytest
import trio

from mcptap.commands import main
from mcptap.commands.probe.watching import watch
from mcptap.errors import UserError
from mcptap.masking.masker import Masker
from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.report.judged import JudgedProbe
from mcptap.play.probe.result import ProbeResult
from mcptap.play.watch import folder as looking
from tests.play.side_by_side.trials import SECRET


@pytest.fixture(autouse=True)
def hurry(monkeypatch):
    monkeypatch.setattr(looking, "POLL_S", 0.002)
    monkeypatch.setattr(looking, "QUIET_S", 0.01)


def offering(*tools: str) -> JudgedProbe:
    lists = {"tools": [{"name": name} for name in tools]}
    return JudgedProbe(ProbeResult(server=ServerDescription("2025-06-18", lists=lists)), None, [])


def watched(folder, *results, changed="server.py", record=None, during="") -> int:
    """What `watch` returns where each probe has the next result, and a file changes with all but the last."""
    left = list(results)

    async def change() -> None:
        (folder / changed).write_text("x" * len(left))

    async def probe() -> JudgedProbe:
        await trio.lowlevel.checkpoint()
        if during:
            (folder / during).write_text("y" * (len(left) + 1))
        result = left.pop(0)
        if left:
            trio.lowlevel.spawn_system_task(change)  # it runs when the probe is over
        else:
            os.kill(os.getpid(), signal.SIGINT)
        if isinstance(result, Exception):
            raise result
        return result

    return watch(str(folder), record, probe, Masker())


def test_the_first_probe_is_told_in_full_and_of_the_next_what_changed(tmp_path, capsys):
    assert watched(tmp_path, offering("a"), offering("a", "b"), offering("a", "b")) == 130
    out, err = capsys.readouterr()
    assert err == "mcptap: the watch was ended; the server is stopped\n"
    assert out.startswith("offers:")
    assert out.count("offers:") == 1
    assert out.count("changed: server.py\n") == 2
    assert "  + tools: b\n  nothing is wrong" in out
    assert "  the server is as it was in the run before\n" in out


def test_a_server_that_can_not_be_started_is_said_and_watched_on(tmp_path, capsys):
    watched(tmp_path, UserError("cannot start it"), offering("a"))
    out, _ = capsys.readouterr()
    assert "cannot start it\noffers:" in out


def test_what_the_server_writes_itself_is_said_to_begin_no_run(tmp_path, capsys):
    watched(tmp_path, *[offering("a")] * 3, during="own.log")
    assert "own.log" in capsys.readouterr().out


def test_secrets_are_masked(tmp_path, capsys):
    watched(tmp_path, offering("a"), offering(SECRET))
    assert SECRET not in capsys.readouterr().out


def test_what_is_no_folder_is_said(tmp_path, capsys):
    assert main(["probe", "--watch", str(tmp_path / "x"), "--", "server"]) == 2
    assert "is none" in capsys.readouterr().err


def test_a_form_for_machines_is_refused(tmp_path, capsys):
    assert main(["probe", "--watch", str(tmp_path), "--junit", "--", "server"]) == 2
    assert "--junit" in capsys.readouterr().err
