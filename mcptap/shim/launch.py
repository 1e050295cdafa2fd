"""The facts of a start, for the header of the recording: what an agent's user can't see."""

from __future__ import annotations

import os
import sys
import time

from mcptap import __version__
from mcptap.masking.command_line import WordMasker
from mcptap.masking.hints import HARMLESS
from mcptap.recording.format import header
from mcptap.recording.made_here import check_value, installation_key
from mcptap.recording.paths import clean_name, server_name, utc
from mcptap.shim.descriptors import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_HARMLESS = frozenset([name.encode() for name in HARMLESS])

MAX_WORD = 200
MAX_WORDS = 12
"""How much of the parent's command line is kept: enough to tell which client it is."""


class Launch:
    """How a session was started. Secrets are masked, also in the name that the server is given here or by the
    command (`name` empty).

    `begun`: its monotonic and wall-clock start, in ns; default: now. `keeps_secrets`: the header has them.
    `secrets` are known ones, wherever they stand.
    """

    def __init__(
        self,
        argv: list[bytes],
        program: bytes | None,
        environ: Mapping[bytes, bytes],
        name: str,
        stdio: list[str] | None = None,
        begun: tuple[int, int] | None = None,
        keeps_secrets: bool = False,
        secrets: Collection[str] = (),
    ) -> None:
        self.argv = argv
        self.masker = WordMasker(installation_key, secrets)
        self.shown, self._masks = self.masker.words(argv)
        """The command with masks in place of its secrets, and where they stand."""
        self._keeps_secrets = keeps_secrets
        self.program = program
        self.environ = environ
        if name:
            self.name = clean_name(os.fsdecode(self.masker.text(os.fsencode(name))))
        else:
            self.name = server_name(
                [os.fsdecode(word) for word in self.shown], {at for at, _, _ in self._masks}
            )
        self.stdio = stdio or [kind_of(fd) for fd in range(3)]
        self.unrecorded: list[str] = []
        """Channels of which the server has the descriptor itself."""
        self.joined = False
        """Whether stdout and stderr of the server are one."""
        self.probe = ""
        """What `mcptap probe` starts the server for, if it does."""
        self.divert = False
        """Whether lines of stdout that are no messages go to stderr."""
        self.parent: tuple[int, bytes, list[bytes]] | None = None
        """Pid, name and command line of who started this process, if they are not to be looked up."""
        self.start_ns, self.wall_ns = begun or (time.monotonic_ns(), time.time_ns())
        # Two sessions may start in the same microsecond, and a pid be used again.
        self.session = f"{self.wall_ns:x}-{os.getpid():x}-{os.urandom(4).hex()}"
        try:
            self.cwd = os.getcwdb()
        except OSError:  # deleted under us
            self.cwd = b""

    def header(self, locked: bool) -> bytes:
        """The header record, with its newline."""
        environment = self._environment()
        argv, masks = (self.argv, []) if self._keeps_secrets else (self.shown, self._masks)
        cwd = self._path(self.cwd)
        return header.encode_header(
            wall_us=self.wall_ns // 1000,
            version=__version__,
            session=self.session,
            start=utc(self.wall_ns, "%Y-%m-%dT%H:%M:%S"),
            name=self.name,
            argv=argv,
            program=None if self.program is None else self._path(self.program),
            cwd=cwd,
            pid=os.getpid(),
            platform=sys.platform,
            python="{}.{}.{}".format(*sys.version_info[:3]),
            parent=self._parent(),
            env=environment,
            stdio=self.stdio,
            lock=locked,
            unrecorded=self.unrecorded,
            joined=self.joined,
            divert=self.divert,
            masked=masks,
            probe=self.probe,
            check=check_value(argv, cwd, environment, masks),
        )

    def _path(self, path: bytes) -> bytes:
        return path if self._keeps_secrets else self.masker.text(path)

    def _parent(self) -> bytes:
        """Pid, name and command line of the parent: they tell which client this is."""
        pid, name, words = self.parent or _parent_process()
        start = 0 if self.parent is not None else _start_of(pid)
        if words is None:
            return header.encode_parent(pid, name, start=start)
        masked, masks = (words, []) if self._keeps_secrets else self.masker.words(words)
        kept = [word[:MAX_WORD] for word in masked[:MAX_WORDS]]
        # A mask that was cut is no secret, but no mask either.
        whole = [(at, start, end) for at, start, end in masks if at < MAX_WORDS and end <= MAX_WORD]
        return header.encode_parent(pid, name, kept, whole, start)

    def _environment(self) -> bytes:
        """Names of all variables; the values of harmless ones, but for one with a secret in it (PWD may)."""
        environ = self.environ
        harmless = [(name, value) for name, value in environ.items() if name in _HARMLESS]
        values = [
            # A list of folders may have any name before a colon.
            (name, value)
            for name, value in harmless
            if name.endswith(b"PATH") or self._path(value) == value
        ]
        unfilled = [
            (name, _placeholder(name, value)) for name, value in environ.items() if name not in _HARMLESS
        ]
        return header.encode_environment(list(environ), values, [pair for pair in unfilled if pair[1]])


def _parent_process() -> tuple[int, bytes | None, list[bytes] | None]:
    """Pid, name and words of the parent, as far as they can be read."""
    pid = os.getppid()
    name = None
    try:
        with open(f"/proc/{pid}/comm", "rb") as file:
            name = file.read().rstrip(b"\n")
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return pid, name, file.read(1 << 16).rstrip(b"\0").split(b"\0")
    except OSError:  # no /proc, or not ours to read
        return pid, name, None


def _start_of(pid: int) -> int:
    """When a process began, in ticks since the system did; 0 where /proc does not tell."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name before it, in brackets, may have spaces and brackets of its own.
            return int(file.read().rpartition(b")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return 0


def _placeholder(name: bytes, value: bytes) -> bytes:
    """The piece of a value that is a variable nobody filled in, if it begins with one.

    Without its default (`${TOKEN:-…}`), which may be a secret as any value; and so may be `%abc%`, unless
    it is the name of the variable itself, or a name as variables have them.
    """
    if value.startswith(b"${") and b"}" in value:
        return value[: value.index(b"}")].partition(b":-")[0][:MAX_WORD] + b"}"
    if len(value) > 2 and value.startswith(b"%") and value.endswith(b"%"):
        from mcptap.masking.values import is_placeholder

        is_own = value[1:-1].lower() == name.lower()
        return value[:MAX_WORD] if is_own or is_placeholder(os.fsdecode(value)) else b""
    return b"~/" if value.startswith(b"~/") else b""
