"""What a terminal and a shell do with a job reaches the server as in a direct start.

Each scene is played twice, directly and behind the tap, on a terminal of its own. The server keeps a diary
of what reaches it, and the shell says what it knows of its job: both must be the same. Where a signal may
come several times at once (`timeout` sends on what its child had already), it counts as one.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.shim.conftest import Start
from tests.shim.running import MCPTAP, PYTHON, Recording, awkward, eventually
from tests.shim.terminal import Terminal

CTRL_C, CTRL_D, CTRL_Z, CTRL_BACKSLASH = "\x03", "\x04", "\x1a", "\x1c"
SHELLS = {"bash": ["bash", "--norc", "--noprofile", "--noediting", "-i"], "dash": ["dash", "-i"]}
PROMPT = "$ "

GROUP_OF_ITS_OWN = """
import os, sys
try:
    os.setpgid(0, 0)
except OSError:
    pass
os.execvp(sys.argv[1], sys.argv[1:])
"""
SESSION_OF_ITS_OWN = GROUP_OF_ITS_OWN.replace("setpgid(0, 0)", "setsid()")
WRAPPERS = {
    "plain": [],
    "sh": ["sh", "-c", '"$@"; exit $?', "sh"],
    "timeout": ["timeout", "100"],
    "timeout in the foreground": ["timeout", "--foreground", "100"],
    "timeout behind sh": ["sh", "-c", 'timeout --foreground 100 "$@"; exit $?', "sh"],
    "setpgid": [*PYTHON, "-c", GROUP_OF_ITS_OWN],
    "setsid where it can": [*PYTHON, "-c", SESSION_OF_ITS_OWN],
}


class Scene:
    """A terminal, what runs on it, and the diary of the server."""

    def __init__(self, folder: Path, tapped: bool) -> None:
        self.folder = folder
        folder.mkdir()
        self.path = folder / "diary"
        self.tap = [*MCPTAP, "run", "--record", str(folder / "tap.jsonl"), "--"] if tapped else []
        self.diarist = awkward("diary", self.path, "SIGINT", "SIGQUIT")
        self.terminal: Terminal

    def command(self, *words: str) -> list[str]:
        """The words of a server, behind the tap or not."""
        return [*self.tap, *words]

    def open(self, leader: list[str]) -> None:
        """Start the leader of the session on the terminal."""
        self.terminal = Terminal(self.folder, leader, PS1=PROMPT)

    def open_shell(self, name: str) -> None:
        """Start a shell on the terminal."""
        self.open(SHELLS[name])
        self.shows(PROMPT)

    def type(self, text: str) -> None:
        """Type, as a person would."""
        self.terminal.type(text)

    def run(self, words: list[str], behind: str = "") -> None:
        """Give the shell a command."""
        self.type(f"{shlex.join(words)}{behind}\n")

    def shows(self, words: str, times: int = 1) -> None:
        """Wait for the screen to show words, so often."""
        assert self.terminal.screen.wait(lambda data: data.count(words.encode()) >= times), words

    def stands_still(self) -> None:
        """Wait for every thread of the job to be stopped."""
        assert eventually(lambda: {state for pid in self._job() for state in _states(pid)} == {"T"})

    def waits(self) -> None:
        """Wait for every thread of the job to wait: a stop is lost on who is just being continued."""
        assert eventually(lambda: {state for pid in self._job() for state in _states(pid)} == {"S"})

    def _job(self) -> list[int]:
        """The processes that have the diary in their command line."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    if os.fsencode(self.path) in file.read():
                        found.append(int(name))
            except OSError:
                continue
        return found

    def notes(self, words: str) -> None:
        """Wait for a line in the diary."""
        assert eventually(lambda: words in self.diary()), (words, self.diary(), self.terminal.screen.data)

    def diary(self) -> list[str]:
        """What the server noted, equal lines once."""
        return list(dict.fromkeys(self.path.read_text().splitlines())) if self.path.exists() else []

    def status(self) -> str:
        """What the shell says of the last command."""
        self.type("echo status $?, over\n")
        self.shows(", over")
        return self.terminal.screen.data.decode().rpartition("status ")[2].partition(",")[0]

    def close(self) -> None:
        """Hang up."""
        self.terminal.close()


def _states(pid: int) -> list[str]:
    states = []
    for path in Path(f"/proc/{pid}/task").glob("*/stat"):
        try:
            states.append(path.read_text().rpartition(") ")[2][0])
        except OSError:  # it has ended
            continue
    return states


@pytest.fixture
def both(tmp_path: Path) -> Iterator[Callable[[], Iterator[Scene]]]:
    """The same scene directly, and behind the tap."""
    scenes: list[Scene] = []

    def play() -> Iterator[Scene]:
        for tapped in (False, True):
            scenes.append(Scene(tmp_path / ("tap" if tapped else "direct"), tapped))
            yield scenes[-1]

    yield play
    for scene in scenes:
        scene.close()


Both = Callable[[], Iterator[Scene]]


@pytest.mark.parametrize(
    ("leader", "wrapper"),
    [
        *[("bash", wrapper) for wrapper in WRAPPERS],
        ("dash", "plain"),
        ("dash", "timeout"),
        ("the server", "plain"),
        ("the server", "timeout"),
        ("the server", "setpgid"),
    ],
)
def test_what_is_typed_reaches_the_server(both: Both, leader: str, wrapper: str) -> None:
    seen = []
    for scene in both():
        words = scene.command(*WRAPPERS[wrapper], *scene.diarist)
        if leader in SHELLS:
            scene.open_shell(leader)
            scene.run(words)
        else:
            scene.open(words)
        scene.notes("ready")
        for typed, noted in [
            ("hello\n", "line hello"),
            (CTRL_C, "SIGINT"),
            ("still here\n", "line still here"),
            *([] if "sh" in wrapper.split() else [(CTRL_BACKSLASH, "SIGQUIT")]),
            (CTRL_D, "end"),
        ]:
            scene.type(typed)
            scene.notes(noted)
        status = scene.status() if leader in SHELLS else str(scene.terminal.status())
        seen.append((scene.diary(), status))
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    ("shell", "wrapper"),
    [
        ("bash", "plain"),
        ("dash", "plain"),
        ("bash", "sh"),
        ("bash", "timeout"),
        ("dash", "timeout"),
        ("bash", "setpgid"),
    ],
)
def test_a_job_is_stopped_and_continued(both: Both, shell: str, wrapper: str) -> None:
    seen = []
    for scene in both():
        scene.open_shell(shell)
        scene.run(scene.command(*WRAPPERS[wrapper], *scene.diarist))
        scene.type("0\n")
        scene.notes("line 0")  # so it has the terminal
        for times in (1, 2):
            scene.type(CTRL_Z)
            scene.shows("Stopped", times)
            scene.stands_still()  # a process that is not yet stopped takes what is typed
            scene.type("fg\n")
            scene.type(f"{times}\n")
            scene.notes(f"line {times}")
            scene.waits()
        scene.type(CTRL_C)
        scene.notes("SIGINT")
        scene.type(CTRL_D)
        scene.notes("end")
        seen.append((scene.diary(), scene.status()))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_job_in_the_background_that_reads_nothing_is_not_stopped(both: Both, shell: str) -> None:
    seen = []
    for scene in both():
        scene.open_shell(shell)
        scene.type("stty tostop\n")  # who writes is stopped as well: the server here writes nothing
        scene.run(scene.command(*awkward("exit_at", "SIGTERM", 7)), f" >{shlex.quote(str(scene.path))} &")
        scene.notes("ready")
        scene.type("jobs; echo listed\n")
        scene.shows("listed\n")
        listed = "Running" if b"Running" in scene.terminal.screen.data else "Stopped"
        scene.type("kill %1; wait %1\n")
        seen.append((listed, scene.status()))
    assert seen[0] == seen[1] == ("Running", "7")
    assert Recording(scene.folder / "tap.jsonl").event("exit")["code"] == 7


@pytest.mark.parametrize("shell", SHELLS)
def test_a_job_in_the_background_that_reads_is_stopped_and_reads_in_the_foreground(
    both: Both, shell: str
) -> None:
    seen = []
    for scene in both():
        scene.open_shell(shell)
        scene.run(scene.command(*scene.diarist), " &")
        scene.notes("ready")
        scene.stands_still()
        scene.type("fg\n")
        scene.type("a\n")
        scene.notes("line a")
        scene.type(CTRL_D)
        scene.notes("end")
        seen.append((scene.diary()[:2], scene.status()))
    assert seen[0] == seen[1]


SPAWN = """
import os, subprocess, sys
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)
signal_seen = []
import signal
signal.signal(signal.SIGINT, lambda *_: os.write(1, b"the client had it\\n"))
os.write(1, b"client\\n")
while os.read(0, 1000) != b"close\\n":
    pass
server.stdin.close()
sys.exit(server.wait())
"""


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_key_reaches_a_server_of_a_client_in_the_foreground_as_directly(both: Both, wrapper: str) -> None:
    """The client leads the group, so a server may leave it: then it has nothing of the key, and stays so."""
    seen = []
    for scene in both():
        scene.open([*PYTHON, "-c", SPAWN, *scene.command(*WRAPPERS[wrapper], *scene.diarist)])
        scene.shows("client")
        scene.notes("ready")
        scene.type(CTRL_C)
        scene.shows("the client had it")
        if wrapper in ("plain", "sh", "timeout in the foreground", "timeout behind sh"):
            scene.notes("SIGINT")
        scene.type("close\n")
        scene.notes("end")
        seen.append((scene.diary(), scene.terminal.status()))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("words", [["setsid", "--wait"], ["setsid"]], ids=" ".join)
def test_setsid_stays_behind_or_ends_as_in_a_shell(both: Both, words: list[str]) -> None:
    """It asks whether it leads its group, and only then makes another process."""
    seen = []
    for scene in both():
        pipe = scene.folder / "pipe"
        os.mkfifo(pipe)
        feed = os.open(pipe, os.O_RDWR)
        scene.open_shell("bash")
        scene.run(scene.command(*words, *scene.diarist), f" <{shlex.quote(str(pipe))}")
        scene.notes("ready")
        if "--wait" in words:
            scene.type(CTRL_C)
        status = scene.status()
        os.close(feed)
        scene.notes("end")
        seen.append((status, scene.diary()))
    assert seen[0] == seen[1]


def test_a_signal_to_the_group_of_setsid_reaches_who_waits_and_not_the_server(
    start: Start, tmp_path: Path
) -> None:
    seen = []
    for direct in (True, False):
        path = tmp_path / f"diary{direct}"
        server = ["setsid", "--wait", *awkward("diary", path, "SIGTERM")]
        run = start(server, direct=direct, start_new_session=True)
        assert eventually(lambda path=path: path.exists() and "ready" in path.read_text())
        os.killpg(run.pid, signal.SIGTERM)
        status = run.status()
        run.close_stdin()
        seen.append((status, path.read_text().splitlines()[:1]))
    assert seen[0] == seen[1] == (-signal.SIGTERM, ["ready"])


ON_NODE = """
const fs = require("fs"), path = process.argv[1], note = words => fs.appendFileSync(path, words + "\\n");
process.on("SIGINT", () => note("SIGINT"));
const lines = require("readline").createInterface({input: process.stdin});
lines.on("line", line => note("line " + line)).on("close", () => { note("end"); process.exit(0); });
note("ready");
"""
ON_ASYNCIO = """
import asyncio, signal, sys

def note(words):
    with open(sys.argv[1], "a") as notes:
        notes.write(words + "\\n")

async def main():
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, note, "SIGINT")
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    note("ready")
    while line := await reader.readline():
        note(f"line {line.decode().strip()}")
    note("end")

asyncio.run(main())
"""


@pytest.mark.parametrize("wrapper", ["plain", "timeout"])
@pytest.mark.parametrize("runtime", ["node", "asyncio"])
def test_a_server_on_an_event_loop_is_a_job_as_directly(both: Both, runtime: str, wrapper: str) -> None:
    """They make the terminal non-blocking, for all who have it."""
    node = shutil.which("node")
    if runtime == "node" and node is None:
        pytest.skip("there is no node")
    program = [node or "", "-e", ON_NODE] if runtime == "node" else [*PYTHON, "-c", ON_ASYNCIO]
    seen = []
    for scene in both():
        scene.open_shell("bash")
        scene.run(scene.command(*WRAPPERS[wrapper], *program, str(scene.path)))
        scene.notes("ready")
        for typed, noted in [("hello\n", "line hello"), (CTRL_C, "SIGINT")]:
            scene.type(typed)
            scene.notes(noted)
        scene.type(CTRL_Z)
        scene.stands_still()
        for typed, noted in [("fg\nagain\n", "line again"), (CTRL_D, "end")]:
            scene.type(typed)
            scene.notes(noted)
        seen.append((scene.diary(), scene.status()))
    assert seen[0] == seen[1]
