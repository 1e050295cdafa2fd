r"""Finding the server's program on Windows, as a shell would: PATHEXT, and `.cmd` by cmd.exe.

`CreateProcess` finds `npx.exe` but not `npx.cmd`, which is what Node installs; clients that
start servers through a shell find it. Pure functions, so they can be tested anywhere;
none of this was run on Windows.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

NOT_FOUND = 127
NOT_EXECUTABLE = 126

DEFAULT_PATHEXT = ".COM;.EXE;.BAT;.CMD"
BATCH = (".bat", ".cmd")
META = frozenset('()[]%!^"`<>&|;, *?')
"""Characters that mean something to cmd.exe, also within quotes for some of them."""


def candidates(program: bytes, environ: Mapping[bytes, bytes]) -> list[bytes]:
    """The paths at which the program may lie, in the order in which cmd.exe tries them."""
    name = os.fsdecode(program)
    if not name:
        return []
    variables = {os.fsdecode(key).upper(): os.fsdecode(value) for key, value in environ.items()}
    suffixes = [s for s in variables.get("PATHEXT", DEFAULT_PATHEXT).split(";") if s]
    has_suffix = any(name.lower().endswith(s.lower()) for s in suffixes)
    names = [name] if has_suffix else [name + s.lower() for s in suffixes] + [name]
    folders = [""]
    if not any(c in name for c in "\\/:"):
        folders += [f.strip('"') for f in variables.get("PATH", "").split(";") if f]
    return [os.fsencode(_join(folder, each)) for folder in folders for each in names]


def _join(folder: str, name: str) -> str:
    return name if not folder else folder + ("" if folder.endswith(("\\", "/")) else "\\") + name


def find_program(
    program: bytes, environ: Mapping[bytes, bytes], is_file: Callable[[bytes], bool] = os.path.isfile
) -> bytes | None:
    """The file that will be started, if there is one."""
    return next((path for path in candidates(program, environ) if is_file(path)), None)


def explain(program: bytes, environ: Mapping[bytes, bytes], _code: int) -> tuple[str, int]:
    """Why the program can't be started, and the exit status for it."""
    name = os.fsdecode(program)
    found = find_program(program, environ)
    if found is not None:
        return f"cannot start {os.fsdecode(found)!r}: Windows refused to run it", NOT_EXECUTABLE
    if os.path.isdir(program):
        return f"cannot start {name!r}: it is a folder, not a program", NOT_EXECUTABLE
    path = os.fsdecode(environ.get(b"PATH", environ.get(b"Path", b"")))
    return (
        f"cannot start {name!r}: there is no such program, with any suffix of PATHEXT, on the PATH that the "
        f"client passed on ({path}); use its absolute path (for npx that of npx.cmd)",
        NOT_FOUND,
    )


def command_line(program: str, arguments: Sequence[str]) -> str:
    """The command line for `CreateProcess`; a batch file is run by cmd.exe, quoted for it."""
    if not program.lower().endswith(BATCH):
        return " ".join([_quoted(word) for word in (program, *arguments)])
    # A batch file that hands its arguments on (as npm's do) has them parsed by cmd.exe twice.
    inner = " ".join([_escaped(_quoted(word, always=True), twice=True) for word in arguments])
    return f'cmd.exe /d /s /c "{_escaped(_quoted(program, always=True))}{" " if inner else ""}{inner}"'


def _quoted(word: str, always: bool = False) -> str:
    r"""A word so that the C runtime gives it back: backslashes before a quote are doubled."""
    if word and not always and not any(c in word for c in ' \t"'):
        return word
    out, backslashes = ['"'], 0
    for c in word:
        if c == "\\":
            backslashes += 1
            continue
        if c == '"':
            out.append("\\" * (2 * backslashes + 1) + '"')
        else:
            out.append("\\" * backslashes + c)
        backslashes = 0
    out.append("\\" * (2 * backslashes) + '"')
    return "".join(out)


def _escaped(word: str, twice: bool = False) -> str:
    """A word so that cmd.exe takes no character of it for its own."""
    for _ in range(2 if twice else 1):
        word = "".join("^" + c if c in META else c for c in word)
    return word
