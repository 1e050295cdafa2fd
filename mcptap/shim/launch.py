"""The facts of a start, for the header of the recording: what an agent's user can't see."""

from __future__ import annotations

import os
import sys
import time

from mcptap import __version__
from mcptap.recording.file import FORMAT
from mcptap.recording.format.content import quote_or_base64
from mcptap.shim.descriptors import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HARMLESS = frozenset(
    b"PATH HOME LANG LC_ALL LC_CTYPE SHELL TERM USER LOGNAME TMPDIR TZ PWD VIRTUAL_ENV CONDA_PREFIX "
    b"PYTHONPATH PYTHONHOME PYTHONUNBUFFERED PYTHONIOENCODING PYTHONUTF8 PYENV_VERSION "
    b"NODE_ENV NODE_PATH NODE_OPTIONS NVM_DIR NVM_BIN NO_COLOR "
    b"CLAUDE_PROJECT_DIR CLAUDECODE XDG_STATE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME "
    b"APPDATA LOCALAPPDATA USERPROFILE PATHEXT SYSTEMROOT TEMP TMP COMSPEC".split()
)
"""Variables whose values are recorded. Of all others only the names: they may be secrets."""

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
        self.start_ns, self.wall_ns = begun or (time.monotonic_ns(), time.time_ns())
        try:
            self.cwd = os.getcwdb()
        except OSError:  # deleted under us
            self.cwd = b""

    @property
    def stamp(self) -> str:
        """The start as it stands in file names: sortable, UTC, microseconds."""
        return _utc(self.wall_ns, "%Y%m%dT%H%M%S")

    def header(self, locked: bool) -> bytes:
        """The header record, with its newline."""
        # Two sessions may start in the same microsecond, and a pid be used again.
        session = f"{self.wall_ns:x}-{os.getpid():x}-{os.urandom(4).hex()}"
        pairs = [
            (b"mcptap", b"%d" % FORMAT),
            (b"n", b"1"),
            (b"k", b'"header"'),
            (b"t", b"0"),
            (b"wall", b"%d" % (self.wall_ns // 1000)),
            (b"version", _text(__version__)),
            (b"session", _text(session)),
            (b"start", _text(_utc(self.wall_ns, "%Y-%m-%dT%H:%M:%S"))),
            (b"name", _text(self.name)),
            (b"argv", _list(self.argv)),
            (b"program", b"null" if self.program is None else quote_or_base64(self.program)),
            (b"cwd", quote_or_base64(self.cwd)),
            (b"pid", b"%d" % os.getpid()),
            (b"platform", _text(sys.platform)),
            (b"python", _text("{}.{}.{}".format(*sys.version_info[:3]))),
            (b"parent", _parent()),
            (b"env", _environment(self.environ)),
            (b"stdio", _list([kind.encode() for kind in self.stdio])),
            (b"lock", b"true" if locked else b"false"),
        ]
        return _object(pairs) + b"\n"


def _utc(wall_ns: int, form: str) -> str:
    seconds, rest = divmod(wall_ns, 1_000_000_000)
    return f"{time.strftime(form, time.gmtime(seconds))}.{rest // 1000:06d}Z"


def _parent() -> bytes:
    """Pid, name and command line of the parent: they tell which client this is."""
    pid = os.getppid()
    pairs = [(b"pid", b"%d" % pid)]
    try:
        with open(f"/proc/{pid}/comm", "rb") as file:
            pairs.append((b"name", quote_or_base64(file.read().rstrip(b"\n"))))
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read(1 << 16).rstrip(b"\0").split(b"\0")
        pairs.append((b"argv", _list([word[:MAX_WORD] for word in words[:MAX_WORDS]])))
    except OSError:
        pass  # no /proc, or not ours to read
    return _object(pairs)


def _environment(environ: Mapping[bytes, bytes]) -> bytes:
    values = [(name, quote_or_base64(environ[name])) for name in environ if name in HARMLESS]
    unfilled = [(name, _placeholder(value)) for name, value in environ.items()]
    found = [(name, quote_or_base64(text)) for name, text in unfilled if text and name not in HARMLESS]
    return _object(
        [(b"names", _list(list(environ))), (b"values", _object(values)), (b"placeholders", _object(found))]
    )


def _placeholder(value: bytes) -> bytes:
    """The piece of a value that is a variable nobody filled in, if it begins with one.

    Without its default (`${TOKEN:-…}`), which may be a secret as any value.
    """
    if value.startswith(b"${") and b"}" in value:
        return value[: value.index(b"}")].partition(b":-")[0][:MAX_WORD] + b"}"
    if value.startswith(b"%") and value.endswith(b"%") and value[1:-1].replace(b"_", b"").isalnum():
        return value[:MAX_WORD]
    return b"~/" if value.startswith(b"~/") else b""


def _text(text: str) -> bytes:
    return quote_or_base64(text.encode(errors="backslashreplace"))


def _list(items: Sequence[bytes]) -> bytes:
    return b"[" + b",".join([quote_or_base64(item) for item in items]) + b"]"


def _object(pairs: list[tuple[bytes, bytes]]) -> bytes:
    """A JSON object from names and values that are JSON already."""
    return b"{" + b",".join([_text(os.fsdecode(name)) + b":" + value for name, value in pairs]) + b"}"
