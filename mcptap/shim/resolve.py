"""Finding the server's program, and saying in one sentence why it can't be started.

Which file is started is decided as execvp(3) does, since that is how most clients would have
started it: a name with a slash is a path, any other is looked for on the PATH of the server's
environment.
"""

from __future__ import annotations

import errno
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NOT_FOUND = 127
NOT_EXECUTABLE = 126
"""Exit statuses of a shell for a command that is not there, or can't be executed."""

DEFAULT_PATH = b"/usr/local/bin:/usr/bin:/bin"


def candidates(program: bytes, environ: Mapping[bytes, bytes]) -> list[bytes]:
    """The paths at which the program may lie, in the order in which they are tried."""
    if b"/" in program:
        return [program]
    folders = environ.get(b"PATH", DEFAULT_PATH).split(b":")
    return [os.path.join(folder or b".", program) for folder in folders] if program else []


def find_program(program: bytes, environ: Mapping[bytes, bytes]) -> bytes | None:
    """The file that will be started, if there is one that may be executed."""
    for path in candidates(program, environ):
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def explain(program: bytes, environ: Mapping[bytes, bytes], code: int) -> tuple[str, int]:
    """Why the program can't be started, given the errno of the try, and the exit status for it."""
    name = os.fsdecode(program)
    for path in candidates(program, environ):
        shown = os.fsdecode(path)
        if os.path.isdir(path):
            if b"/" in program:
                return f"cannot start {name!r}: it is a folder, not a program", NOT_EXECUTABLE
            continue
        if not os.path.exists(path):
            continue
        if not os.access(path, os.X_OK):
            return f"cannot start {shown!r}: it is not executable (chmod +x it)", NOT_EXECUTABLE
        interpreter = _interpreter(path)
        if code == errno.ENOENT and interpreter:
            return (
                f"cannot start {shown!r}: its first line names the interpreter {interpreter!r}, "
                "which does not exist",
                NOT_EXECUTABLE,
            )
        return f"cannot start {shown!r}: {os.strerror(code)}", NOT_EXECUTABLE
    return f"cannot start {name!r}: {_not_there(program, environ)}", NOT_FOUND


def _not_there(program: bytes, environ: Mapping[bytes, bytes]) -> str:
    if not program:
        return "the command is empty"
    if b" " in program:
        return "there is no such file; if it is a command line, give each argument as an item of its own"
    if b"/" in program:
        where = "" if program.startswith(b"/") else f" from {_cwd()}"
        return f"there is no such file{where}"
    path = os.fsdecode(environ.get(b"PATH", DEFAULT_PATH))
    return (
        f"there is no such program on the PATH that the client passed on ({path}); "
        "use its absolute path, or set PATH in the client's configuration"
    )


def _interpreter(path: bytes) -> str:
    """The interpreter that a script's first line names, or an empty string."""
    try:
        with open(path, "rb") as script:
            first = script.read(256).split(b"\n")[0]
    except OSError:
        return ""
    words = first[2:].split() if first.startswith(b"#!") else []
    return os.fsdecode(words[0].rstrip(b"\r")) + ("\\r" if first.endswith(b"\r") else "") if words else ""


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:
        return "a working directory that was deleted"
