"""`mcptap lock` as a user has it: written, held against, approved."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from mcptap.commands import main
from mcptap.protocol.contract.lock_file import read_lock

SERVER = str(Path(__file__).with_name("server.py"))


def tool(name: str, description: str = "Does.", **members: Any) -> dict[str, Any]:
    return {"name": name, "description": description, "inputSchema": {"type": "object"}, **members}


class Sample:
    """A server whose offers can be changed, and the lock beside it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.offers, self.lock, self.capsys = folder / "offers.json", folder / "mcptap.lock", capsys
        self.command = ["--", sys.executable, SERVER, str(self.offers)]

    def offer(self, *tools: dict[str, Any], **more: Any) -> None:
        self.offers.write_text(json.dumps({"tools": tools, **more}))

    def run(self, *arguments: str) -> tuple[int, str, str]:
        status = main(["lock", "--lock", str(self.lock), *arguments])
        out, err = self.capsys.readouterr()
        return status, " ".join(out.split()), err


@pytest.fixture
def sample(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Sample:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("mcptap.commands.locking.seen.SETTLE_S", 0)
    return Sample(tmp_path, capsys)


def test_a_lock_is_written_once_and_approved_by_name_from_then_on(sample: Sample):
    sample.offer(tool("add"), tool("ask", **{"for": "sampling"}), instructions="Be kind.")
    status, out, _ = sample.run(*sample.command)
    assert status == 0
    assert "is locked: 2 tools, about" in out
    assert "First sight is trusted" in out
    [server] = read_lock(str(sample.lock)).servers.values()
    assert server.items["tool", "ask"].needs
    assert not server.items["tool", "add"].needs
    before = sample.lock.read_bytes()
    assert sample.run(*sample.command)[0] == 0

    sample.offer(tool("add", "Does all."), tool("cut", "Cuts."))
    status, out, _ = sample.run(*sample.command)
    assert status == 1
    assert 'other words tool "add": description: Does{+ all+}.; its version is still 1' in out
    assert 'new tool "cut"' in out
    assert "other words the instructions" in out
    assert 'gone tool "ask"' in out
    assert sample.lock.read_bytes() == before

    assert sample.run("--update", "add", *sample.command)[0] == 0
    [server] = read_lock(str(sample.lock)).servers.values()
    assert {name for _, name in server.items} == {"add", "ask", ""}
    assert sample.run("--update", *sample.command)[0] == 0
    [server] = read_lock(str(sample.lock)).servers.values()
    assert {name for _, name in server.items} == {"add", "cut"}
    assert sample.run(*sample.command)[0] == 0


def test_a_second_server_is_not_added_in_silence(sample: Sample):
    sample.offer(tool("add"))
    assert sample.run("--name", "one", *sample.command)[0] == 0
    status, out, _ = sample.run("--name", "two", *sample.command)
    assert (status, "two is not in" in out) == (1, True)
    assert sample.run("--name", "two", "--update", "add", *sample.command)[0] == 2
    assert sample.run("--name", "two", "--update", *sample.command)[0] == 0
    assert list(read_lock(str(sample.lock)).servers) == ["one", "two"]
    assert sample.run("--name", "two", "--update", "no-such", *sample.command)[0] == 2


def test_a_secret_is_neither_kept_nor_shown(sample: Sample):
    secret = "ghp_" + "a1B2" * 9
    sample.offer(tool("add", f"Uses {secret}."))
    status, out, err = sample.run(*sample.command)
    assert status == 0
    assert "only hashes are kept" in err
    sample.offer(tool("add", f"Uses {secret} twice."))
    status, out, _ = sample.run(*sample.command)
    assert status == 1
    assert "only its hash is in the lock" in out
    assert secret not in sample.lock.read_text() + out + err


def test_what_cannot_be_used_is_refused_in_a_sentence(sample: Sample):
    with pytest.raises(SystemExit):
        sample.run()
    sample.capsys.readouterr()
    for text, words in (('{"mcptap-lock":7}\n', "newer mcptap"), ("{\n", "line 1: is no JSON")):
        sample.lock.write_text(text)
        sample.offer(tool("add"))
        status, _, err = sample.run(*sample.command)
        assert (status, words in err, err.count("\n")) == (2, True, 1)
        assert sample.lock.read_text() == text


def test_a_server_that_does_not_answer_is_not_locked(sample: Sample):
    status, _, err = sample.run("--", sys.executable, "-c", "pass")
    assert status == 2
    assert "can't be locked: its answer to the opening: the server ended" in err
    assert not sample.lock.exists()
