from __future__ import annotations

from tests.setup.machines import Disk, found_in, machine, worse

ON = machine(Disk(files=["C:\\n\\npx.cmd", "C:\\n\\cmd.exe"]), {"PATH": "C:\\n"}, platform="win32")


def test_a_batch_file_may_not_be_found_on_windows_and_is_behind_cmd():
    assert worse(found_in("claude-desktop", {"command": "npx", "args": ["-y", "x"]}, on=ON)) == ["batch-file"]
    behind = {"command": "cmd", "args": ["/c", "npx", "-y", "x"]}
    assert worse(found_in("claude-desktop", behind, on=ON)) == []


def test_some_clients_start_batch_files_and_elsewhere_there_are_none():
    assert worse(found_in("roo", {"command": "npx", "args": ["-y", "x"]}, on=ON)) == []
    assert worse(found_in("claude-desktop", {"command": "npx", "args": ["-y", "x"]})) == []


def test_signs_that_cmd_takes_for_its_own_are_a_warning():
    server = {"command": "cmd", "args": ["/c", "npx", "-y", "x", "a&b"]}
    assert worse(found_in("claude-desktop", server, on=ON)) == ["batch-arguments"]
