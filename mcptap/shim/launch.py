"""The facts of a start, for the header of the recording: what an agent's user can't see."""

from __future__ import annotations

import os
import sys
import time

from mcptap import __version__
from mcptap.masking.hints import HARMLESS
from mcptap.recording.format import header
from mcptap.recording.made_here import check_value
from mcptap.recording.paths import utc
from mcptap.shim.descriptors import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_HARMLESS = frozenset([name.encode() for name in HARMLESS])

MAX_WORD = 200
MAX_WORDS = 12
"""How much of the parent's command line is kept: enough to tell which client it is."""


class Launch:
    """How a session was started. `begun`: its monotonic and wall-clock start, in ns; default: now."""

    def __init__(
        self,
        argv: list[bytes],
        program: bytes | None,
        environ: Mapping[bytes, bytes],
        name: str,
        stdio: list[str] | None = None,
        begun: tuple[int, int] | None = None,
    ) -> None:
        self.argv = argv
        self.program = program
        self.environ = environ
        self.name = name
        self.stdio = stdio or [kind_of(fd) for fd in range(3)]
        self.unrecorded: list[str] = []
        """Channels of which the server has the descriptor itself."""
        self.joined = False
        """Whether stdout and stderr of the server are one."""
        self.parent = b""
        """Who started this process, encoded, if that is not to be looked up."""
        self.start_ns, self.wall_ns = begun or (time.monotonic_ns(), time.time_ns())
        # Two sessions may start in the same microsecond, and a pid be used again.
        self.session = f"{self.wall_ns:x}-{os.getpid():x}-{os.urandom(4).hex()}"
        try:
            self.cwd = os.getcwdb()
        except OSError:  # deleted under us
            self.cwd = b""

    def header(self, locked: bool) -> bytes:
        """The header record, with its newline."""
        environment = _environment(self.environ)
        return header.encode_header(
            wall_us=self.wall_ns // 1000,
            version=__version__,
            session=self.session,
            start=utc(self.wall_ns, "%Y-%m-%dT%H:%M:%S"),
            name=self.name,
            argv=self.argv,
            program=self.program,
            cwd=self.cwd,
            pid=os.getpid(),
            platform=sys.platform,
            python="{}.{}.{}".format(*sys.version_info[:3]),
            parent=self.parent or _parent(),
            env=environment,
            stdio=self.stdio,
            lock=locked,
            unrecorded=self.unrecorded,
            joined=self.joined,
            check=check_value(self.argv, self.cwd, environment),
        )


def _parent() -> bytes:
    """Pid, name and command line of the parent: they tell which client this is."""
    pid = os.getppid()
    name = None
    try:
        with open(f"/proc/{pid}/comm", "rb") as file:
            name = file.read().rstrip(b"\n")
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read(1 << 16).rstrip(b"\0").split(b"\0")
    except OSError:  # no /proc, or not ours to read
        return header.encode_parent(pid, name)
    return header.encode_parent(pid, name, [word[:MAX_WORD] for word in words[:MAX_WORDS]])


def _environment(environ: Mapping[bytes, bytes]) -> bytes:
    values = [(name, environ[name]) for name in environ if name in _HARMLESS]
    unfilled = [(name, _placeholder(value)) for name, value in environ.items() if name not in _HARMLESS]
    return header.encode_environment(list(environ), values, [pair for pair in unfilled if pair[1]])


def _placeholder(value: bytes) -> bytes:
    """The piece of a value that is a variable nobody filled in, if it begins with one.

    Without its default (`${TOKEN:-…}`), which may be a secret as any value.
    """
    if value.startswith(b"${") and b"}" in value:
        return value[: value.index(b"}")].partition(b":-")[0][:MAX_WORD] + b"}"
    if value.startswith(b"%") and value.endswith(b"%") and value[1:-1].replace(b"_", b"").isalnum():
        return value[:MAX_WORD]
    return b"~/" if value.startswith(b"~/") else b""
