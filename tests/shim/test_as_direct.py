"""What a server can see of how it was started is what it sees without the tap."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.shim.conftest import Start
from tests.shim.running import MCPTAP, PYTHON, Stream, awkward, environment

ODD_ARGUMENTS = [
    "a b", "q\"uo'te", "", "--help", "-v", "--version", "--", "-", "*", "$HOME", "`id`", "back\\slash",
    "üñí漢", "new\nline", "--record", "--quiet", "--name=x", b"\xff\xfe", "{x}", "%s", "",
]  # fmt: skip

ODD_ENVIRONMENT = {
    b"EMPTY": b"",
    b"UTF8": "grüße".encode(),
    b"RAW": b"\xff\xfe",
    b"RAW\xffNAME": b"1",
    b"LINES": b"a\nb",
    b"PYTHONUNBUFFERED": b"0",
    b"NODE_OPTIONS": b"",
}


def both_views(start: Start, *arguments: Any, **popen: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the same server sees directly, and through the tap."""
    seen = []
    for direct in (True, False):
        one = start([*awkward("view"), *arguments], direct=direct, **popen)
        assert one.sees(b"\n")
        status, out, _ = one.finish()
        assert status == 0
        seen.append(json.loads(out))
    for view in seen:
        del view["group"], view["session"]
    return seen[0], seen[1]


def test_everything_is_as_in_a_direct_start(start: Start) -> None:
    directly, through = both_views(start, *ODD_ARGUMENTS)
    assert through == directly
    assert through["argv"][2:] == [os.fsencode(word).hex() for word in ODD_ARGUMENTS]


@pytest.mark.parametrize(
    "locale", [{}, {"LC_ALL": "C"}, {"LANG": "C"}, {"LANG": "POSIX"}, {"LC_CTYPE": "C"}], ids=str
)
def test_the_environment_is_exact(start: Start, tmp_path: Path, locale: dict[str, str]) -> None:
    """Python sets LC_CTYPE for itself where the locale is C; the server does not see that."""
    given = environment(tmp_path)
    del given["LANG"]
    env = {**{k.encode(): v.encode() for k, v in {**given, **locale}.items()}, **ODD_ENVIRONMENT}
    directly, through = both_views(start, "ü", b"\xff", env=env)
    assert through == directly
    assert through["environment"] == sorted((k + b"=" + v).hex() for k, v in env.items())


EXECUTE = """
import ctypes, sys
words = [word.encode() for word in sys.argv[2:]]
entries = [bytes.fromhex(entry) for entry in sys.argv[1].split(",")]
array = lambda items: (ctypes.c_char_p * (len(items) + 1))(*items, None)
ctypes.CDLL(None).execve(words[0], array(words), array(entries))
"""


def test_entries_of_the_environment_that_are_no_variables_reach_the_server(start: Start) -> None:
    entries = [b"A=first", b"A=second", b"no equals sign", b"=no name", b"=", b"", b"B=\xff", b"A=third"]
    execute = [*PYTHON, "-c", EXECUTE, ",".join(entry.hex() for entry in entries)]
    server = ["/bin/cat", "/proc/self/environ"]
    for words in (server, [*MCPTAP, "run", "--quiet", "--no-record", "--", *server]):
        status, out, err = start([*execute, *words], direct=True).finish()
        assert (status, out, err) == (0, b"".join(entry + b"\0" for entry in entries), b"")


def test_an_empty_environment_is_enough(start: Start) -> None:
    directly, through = both_views(start, env={})
    assert through == directly
    assert through["environment"] == []


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777], ids=oct)
def test_the_umask_is_the_clients(start: Start, umask: int) -> None:
    directly, through = both_views(start, umask=umask)
    assert through["umask"] == directly["umask"] == umask


def test_the_working_directory_is_the_clients(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "pröject with spaces"
    folder.mkdir()
    assert both_views(start, cwd=folder)[1]["cwd"] == str(folder)


def test_a_working_directory_that_was_deleted_does_not_stop_the_start(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    tap = start(
        ["/bin/sh", "-c", f'cd {folder} && rmdir {folder} && exec "$@"', "sh", "echo", "hello"], direct=True
    )
    assert tap.finish()[:2] == (0, b"hello\n")
    folder.mkdir()
    inner = [*MCPTAP, "run", "--quiet", "--record", str(tmp_path / "records/"), "--", "echo", "hello"]
    tap = start(["/bin/sh", "-c", f'cd {folder} && rmdir {folder} && exec "$@"', "sh", *inner], direct=True)
    assert tap.finish() == (0, b"hello\n", b"")
    assert tap.recording().header.cwd == ""


def test_as_a_module_it_starts_in_a_deleted_folder_too(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    inner = [sys.executable, "-m", "mcptap", "run", "--quiet", "--no-record", "--", "echo", "hello"]
    tap = start(["/bin/sh", "-c", f'cd {folder} && rmdir {folder} && exec "$@"', "sh", *inner], direct=True)
    assert tap.finish() == (0, b"hello\n", b"")


def test_further_descriptors_are_inherited(start: Start) -> None:
    reading, writing = os.pipe()
    tap = start([*PYTHON, "-c", f"import os; os.write({writing}, b'through')"], pass_fds=[writing])
    os.close(writing)
    assert tap.status() == 0
    assert os.read(reading, 100) == b"through"
    os.close(reading)


def test_a_descriptor_for_the_server_ends_when_the_server_closes_it(start: Start) -> None:
    reading, writing = os.pipe()
    program = f"import os; os.write({writing}, b'through'); os.close({writing}); os.read(0, 1)"
    tap = start([*PYTHON, "-c", program], pass_fds=[writing])
    os.close(writing)
    assert Stream(reading).end() == b"through"
    assert tap.process.poll() is None
    assert tap.finish()[0] == 0
    os.close(reading)


def test_signals_that_python_ignores_for_itself_are_not_ignored_for_the_server(start: Start) -> None:
    """Seen by a program that is not Python, which would ignore them for itself."""
    seen = []
    for direct in (True, False):
        one = start(["grep", "Sig", "/proc/self/status"], direct=direct)
        seen.append(one.finish()[1].splitlines()[1:])  # the first is a count of what is pending
    assert seen[0] == seen[1]


def test_the_server_stays_in_the_process_group_and_session(start: Start) -> None:
    tap = start(awkward("view"), start_new_session=True)
    assert tap.sees(b"\n")
    assert tap.out is not None
    view = json.loads(tap.out.data)
    assert view["group"] == view["session"] == tap.pid


def test_limits_and_blocked_signals_are_the_clients(start: Start) -> None:
    def restrict() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 128))
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2, signal.SIGALRM})
        os.nice(3)

    directly, through = both_views(start, preexec_fn=restrict)
    assert through == directly
    assert through["nice"] == directly["nice"]


def test_ignored_signals_are_the_clients(start: Start) -> None:
    def ignore() -> None:
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGCHLD, signal.SIGUSR1):
            signal.signal(number, signal.SIG_IGN)

    directly, through = both_views(start, preexec_fn=ignore, restore_signals=False)
    assert through["ignored signals"] == directly["ignored signals"]
    assert through["blocked signals"] == directly["blocked signals"]


def test_a_command_on_the_path_is_found_on_the_servers_own_path(start: Start, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "my-server"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "$0"\n')
    program.chmod(0o755)
    tap = start(["my-server"], env={**environment(tmp_path), "PATH": f"/nowhere:{program.parent}"})
    assert tap.finish()[:2] == (0, f"{program}\n".encode())
    assert tap.recording().header.program == str(program)


def test_a_script_without_a_first_line_for_the_kernel_runs_in_a_shell(start: Start, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("echo ran $1; exit 4\n")
    script.chmod(0o755)
    tap = start([str(script), "x"])
    assert tap.finish()[:2] == (4, b"ran x\n")
