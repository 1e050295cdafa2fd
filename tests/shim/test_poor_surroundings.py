"""Where there is next to nothing (descriptors, memory, /dev, a home …) the server runs as it would directly.

What mcptap can't do there it leaves undone, in silence or with one sentence, and never with a traceback.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.shim.conftest import Start
from tests.shim.running import LAUNCHED, MCPTAP, PYTHON, environment

SERVER = ["/bin/sh", "-c", "/bin/cat; env; echo error >&2; exit 7"]
FLOOD = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * 3000
DEEP = b"[" * 9000 + b"]" * 9000 + b"\n" + b'{"a":' * 9000 + b"1" + b"}" * 9000 + b"\n"

NAMESPACES = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]


def can_mount() -> bool:
    """Whether this machine lets us have a mount namespace of our own."""
    if shutil.which("unshare") is None:
        return False
    trial = [*NAMESPACES, "mount -t tmpfs none /proc"]
    return subprocess.run(trial, capture_output=True, check=False).returncode == 0


needs_namespaces = pytest.mark.skipif(not can_mount(), reason="no user and mount namespaces here")
needs_launcher = pytest.mark.skipif(not LAUNCHED, reason="no launcher was compiled")


def limit(name: str, *values: int) -> Callable[[], None]:
    """What sets a limit in the process that is to be started: soft and hard, or one for both."""
    number = getattr(resource, name)
    return lambda: resource.setrlimit(number, (values[0], values[-1]))


def is_as_direct(
    start: Start,
    home: Path,
    *,
    before: Callable[[], None] | None = None,
    within: str = "",
    data: bytes = FLOOD,
    options: list[str] | None = None,
    **variables: str,
) -> None:
    """Check it, quiet and not; `within` is a line of shell that is run in namespaces of their own."""
    env = {**environment(home), **variables}
    shell = [*NAMESPACES, f'{within} && exec "$@"', "sh"] if within else []
    place = options if options is not None else ["--record", str(home / "records") + "/"]
    seen = []
    for tap in ([], [*MCPTAP, "run", "--quiet", *place, "--"], [*MCPTAP, "run", *place, "--"]):
        one = start([*shell, *tap, *SERVER], direct=True, env=env, preexec_fn=before)
        seen.append(one.finish(data))
    directly, *through = [(status, out, err.splitlines()) for status, out, err in seen]
    for status, out, said in through:
        ours = [line for line in said if line.startswith(b"mcptap: ")]
        assert (status, out, [line for line in said if line not in ours]) == directly
    assert through[0] == directly


@pytest.mark.parametrize("count", [4, 5, 6, 7, 8, 9, 10, 11, 12, 16])
def test_few_descriptors(start: Start, tmp_path: Path, count: int) -> None:
    is_as_direct(start, tmp_path, before=limit("RLIMIT_NOFILE", count))


@pytest.mark.parametrize("kilobytes", [64, 256, 4096])
@pytest.mark.parametrize("data", [FLOOD, DEEP], ids=["flood", "deep"])
def test_tiny_stacks(start: Start, tmp_path: Path, kilobytes: int, data: bytes) -> None:
    is_as_direct(start, tmp_path, before=limit("RLIMIT_STACK", kilobytes << 10), data=data)


@pytest.mark.parametrize("megabytes", [10, 20, 32, 64])
@needs_launcher
def test_little_memory(start: Start, tmp_path: Path, megabytes: int) -> None:
    is_as_direct(start, tmp_path, before=limit("RLIMIT_AS", megabytes << 20))
    is_as_direct(start, tmp_path, before=limit("RLIMIT_DATA", megabytes << 20))


@pytest.mark.parametrize("size", [0, 300, 65536])
def test_recordings_that_may_not_grow(start: Start, tmp_path: Path, size: int) -> None:
    is_as_direct(start, tmp_path, before=limit("RLIMIT_FSIZE", size))


@needs_launcher
def test_a_folder_as_stdin(start: Start, tmp_path: Path) -> None:
    """Python itself does not start so."""
    is_as_direct(start, tmp_path, before=lambda: os.dup2(os.open("/", os.O_RDONLY), 0))


@pytest.mark.parametrize("name", ["RLIMIT_NPROC", "RLIMIT_MEMLOCK", "RLIMIT_SIGPENDING", "RLIMIT_CORE"])
def test_other_limits(start: Start, tmp_path: Path, name: str) -> None:
    is_as_direct(start, tmp_path, before=limit(name, 0))


@pytest.mark.parametrize("home", ["/nowhere/at/all", "/etc/passwd/x", "", "relative", "/proc/self", "\udcff"])
def test_a_home_that_is_none(start: Start, tmp_path: Path, home: str) -> None:
    is_as_direct(start, tmp_path, options=[], HOME=home, XDG_STATE_HOME=home, TMPDIR=str(tmp_path))


WITHIN = {
    "no /dev/null": "mount -t tmpfs none /dev",
    "a folder for /dev/null": "mount -t tmpfs none /dev && mkdir /dev/null",
    "a file for /dev/null that may not be written": "mount -t tmpfs none /dev && echo x >/dev/null && "
    "mount -o remount,ro /dev",
    "no /proc": "mount -t tmpfs none /proc",
    "neither /proc nor /dev": "mount -t tmpfs none /proc && mount -t tmpfs none /dev",
    "a disk that is full": "mount -t tmpfs -o size=4k none {home} && head -c 4096 /dev/zero >{home}/x",
    "a disk that fills up": "mount -t tmpfs -o size=64k none {home}",
    "a disk that may not be written": "mount -t tmpfs -o ro none {home}",
    "nowhere to write at all": "for folder in {home} /tmp /var/tmp; do "
    "mount --bind $folder $folder && mount -o remount,bind,ro $folder || exit 99; done",
    "a working directory that is gone": "mkdir /tmp/gone-$$ && cd /tmp/gone-$$ && rmdir /tmp/gone-$$",
}


@pytest.mark.parametrize("name", WITHIN)
@needs_namespaces
def test_without_a_part_of_the_system(start: Start, tmp_path: Path, name: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    within = WITHIN[name].format(home=home)
    for options in (["--record", f"{home}/r/"], []):
        is_as_direct(start, home, within=within, options=options, TMPDIR=str(home))


KINDS = """
import os, stat, sys
kinds = []
for fd in range(3):
    try:
        kinds.append(stat.S_IFMT(os.fstat(fd).st_mode))
    except OSError:
        kinds.append(None)
with open(sys.argv[1], "w") as file:
    file.write(str(kinds))
sys.exit(7)
"""


def kinds_seen(start: Start, facts: Path, words: list[str], **popen: Any) -> tuple[int, str]:
    """The exit status, and what a server behind the words sees as its 0, 1 and 2, told in a file."""
    one = start([*words, *PYTHON, "-c", KINDS, str(facts)], direct=True, **popen)
    return one.finish()[0], facts.read_text() if facts.exists() else ""


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)], ids=str)
@pytest.mark.parametrize("count", [5, 12, 64])
def test_closed_descriptors_with_few_left(
    start: Start, tmp_path: Path, closed: tuple[int, ...], count: int
) -> None:
    def before() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))
        for fd in closed:
            os.close(fd)

    tap = [*MCPTAP, "run", "--quiet", "--record", str(tmp_path / "records") + "/", "--"]
    directly = kinds_seen(start, tmp_path / "directly", [], preexec_fn=before)
    assert kinds_seen(start, tmp_path / "through", tap, preexec_fn=before) == directly


@needs_namespaces
@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "0<&- 1>&-", "0<&- 1>&- 2>&-"])
def test_closed_descriptors_without_dev_null(start: Start, tmp_path: Path, closed: str) -> None:
    shell = [*NAMESPACES, f'mount -t tmpfs none /dev && exec "$@" {closed}', "sh"]
    tap = [*MCPTAP, "run", "--quiet", "--record", str(tmp_path / "records") + "/", "--"]
    directly = kinds_seen(start, tmp_path / "directly", shell)
    assert kinds_seen(start, tmp_path / "through", [*shell, *tap]) == directly
