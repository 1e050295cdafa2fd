"""`mcptap replay`: what it refuses, and a real run on a terminal of its own."""

import os
import subprocess
import sys

import pytest

from tests.helpers import END, handshake, record

pty = pytest.importorskip("pty")


def mcptap(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "mcptap", *arguments],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
        **options,
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be opened: No such file or directory"),
        (b"", "is empty: nothing was recorded"),
        (b"hello\n", "is no capture that mcptap can read"),
        (b'{"mcptap":99,"version":"9.9"}\n', "update it"),
    ],
)
def test_what_is_no_recording_is_refused_in_one_sentence(tmp_path, content, said):
    path = tmp_path / "x.jsonl"
    if content is not None:
        path.write_bytes(content)
    done = mcptap("replay", os.fspath(path))
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_without_a_terminal_show_is_named(tmp_path):
    path = record(tmp_path / "x.jsonl", [*handshake(), *END])
    done = mcptap("replay", os.fspath(path))
    assert done.returncode == 2
    assert done.stderr == f"mcptap: the screen needs a terminal; without one, use: mcptap show {path}\n"


def test_mcptap_alone_prints_the_help_without_a_terminal():
    done = mcptap()
    assert done.returncode == 0
    assert done.stdout.startswith("usage: mcptap run")


@pytest.fixture
def state(tmp_path, monkeypatch):
    """A state folder with a recording of a server called weather."""
    folder = tmp_path / "mcptap" / "recordings" / "weather"
    folder.mkdir(parents=True)
    record(folder / "x.jsonl", [*handshake(), *END], name="weather")
    monkeypatch.setenv("XDG_STATE_HOME", os.fspath(tmp_path))
    monkeypatch.setenv("TMPDIR", os.fspath(tmp_path))
    return tmp_path


def test_a_name_that_is_neither_file_nor_server_is_refused_in_a_sentence(state):
    done = mcptap("replay", "wether")
    assert done.returncode == 2
    assert done.stderr == (
        "mcptap: there is no file wether, and no recording of a server called so; see mcptap ls\n"
    )


def test_without_a_terminal_the_list_is_that_of_ls(state):
    for arguments in ((), ("weather",), ("WEATH*",), (os.fspath(state),), ("--run",), ("--run", "latest")):
        done = mcptap("replay", *arguments)
        assert done.returncode == 2
        assert "without one, use: mcptap ls" in done.stderr


def on_terminal(arguments, keys, wanted):
    """Run on a pseudo-terminal; type the keys once the wanted text was drawn. Status and output."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
        os.execv(sys.executable, [sys.executable, "-m", "mcptap", *arguments])
    output = b""
    sent = False
    try:
        while True:
            try:
                data = os.read(fd, 65536)
            except OSError:
                break
            if not data:
                break
            output += data
            if not sent and wanted in output:
                os.write(fd, keys)
                sent = True
    finally:
        os.close(fd)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), output


def test_on_a_terminal_it_shows_the_session_and_leaves_the_terminal_as_it_was(tmp_path):
    path = record(tmp_path / "x.jsonl", [*handshake(), *END])
    status, output = on_terminal(["replay", os.fspath(path)], b"q", b"initialize")
    assert status == 0
    assert b"\x1b[?1049h" in output
    assert output.rindex(b"\x1b[?1049l") > output.rindex(b"\x1b[?1049h")
    assert b"\x1b[?25h" in output[output.rindex(b"\x1b[?1049l") :] + output[-200:]


def test_a_servers_name_lists_its_recordings(state):
    status, output = on_terminal(["replay", "weather"], b"q", b"Nothing is wrong")
    assert status == 0
    assert b'server:"*weather*"' in output


def test_mcptap_alone_on_a_terminal_lists_recordings(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", os.fspath(tmp_path))
    monkeypatch.setenv("TMPDIR", os.fspath(tmp_path))
    status, output = on_terminal([], b"q", b"There is no recording yet")
    assert status == 0
    assert b"mcptap wrap" in output


def test_the_screen_is_imported_without_trio():
    code = (
        "import sys, mcptap.tui.app, mcptap.tui.session.screen, mcptap.tui.recordings.screen\n"
        "import mcptap.tui.index.indexer\n"
        "print('trio' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_help_of_the_command_needs_no_textual():
    code = (
        "import sys, contextlib, io\n"
        "from mcptap.commands import replay\n"
        "with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):\n"
        "    replay.main(['--help'])\n"
        "print('textual' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
