"""Where recordings lie, worked out without imports that the shim would wait for.

`default_folders` says the same as platformdirs (a test compares them): importing
platformdirs costs more than a bare interpreter's start, and the recording has to be open
before the first byte is forwarded.
"""

from __future__ import annotations

import errno
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

SUFFIX = ".jsonl"
MAX_NAME = 64
RUNNERS = frozenset(
    "npx npm pnpm yarn bunx uvx uv pipx node deno bun python python3 py sh bash env cmd".split()  # noqa: SIM905
)
"""Programs that start servers; the server is named by one of their arguments."""

RUNNER_WORDS = frozenset("run exec dlx tool start x".split())  # noqa: SIM905


def default_folders(environ: Mapping[str, str]) -> list[str]:
    """Folders for recordings, best first: the user's state directory, then a temporary one."""
    home = home_of(environ)
    folders = []
    if sys.platform == "win32":
        base = environ.get("LOCALAPPDATA") or (home and os.path.join(home, "AppData", "Local"))
    elif sys.platform == "darwin":
        base = home and os.path.join(home, "Library", "Application Support")
    else:
        base = environ.get("XDG_STATE_HOME", "")
        if not os.path.isabs(base):  # a relative one is to be ignored (XDG Base Directory Specification)
            base = home and os.path.join(home, ".local", "state")
    if base and os.path.isabs(base):
        folders.append(os.path.join(base, "mcptap", "recordings"))
    folders.append(os.path.join(temporary_directory(environ), temporary_folder(), "recordings"))
    return folders


def home_of(environ: Mapping[str, str]) -> str:
    """The user's home folder; empty if there is none."""
    return environ.get("USERPROFILE" if sys.platform == "win32" else "HOME", "") or _home_of_user()


def _home_of_user() -> str:
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError):
        return ""


def temporary_directory(environ: Mapping[str, str]) -> str:
    """Where temporary files go: as `tempfile` has it, which writes a file to find out."""
    for name in ("TMPDIR", "TEMP", "TMP"):
        if os.path.isabs(environ.get(name, "")):
            return environ[name]
    return "/tmp"


def clean_name(name: str) -> str:
    """A server's name as a file name: letters, digits, `.`, `_`, `-`; never empty or hidden."""
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in name)
    return kept[:MAX_NAME].strip("-.") or "server"


def server_name(argv: Sequence[str], masked: Collection[int] = ()) -> str:
    """A name for the server that this command starts, for people to find it by. `masked` are the indices of
    words with a mask in them, which name nothing.

    `npx -y @scope/some-server@1.2` is `some-server`, `python /x/weather/server.py` is
    `weather-server`, `/opt/bin/thing` is `thing`.
    """
    program = _stem(argv[0])
    if program.rstrip("0123456789.") not in RUNNERS and program not in RUNNERS:
        return clean_name(program)
    for at, word in enumerate(argv[1:], 1):
        if at in masked or word.startswith("-") or not word or word in RUNNER_WORDS or _stem(word) in RUNNERS:
            continue
        if "=" in word and program == "env":
            continue
        if "=" in word or any(c.isspace() for c in word):
            break
        return clean_name(_package(word))
    return clean_name(program)


def _stem(path: str) -> str:
    last = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    for suffix in (".exe", ".cmd", ".bat"):
        last = last.removesuffix(suffix)
    return last


def _package(word: str) -> str:
    """The name in a package spec, or in a path: with its folder if the file's own name says nothing."""
    if word.startswith("@") and "/" in word:
        return word.partition("/")[2].partition("@")[0]
    parts = [p for p in word.replace("\\", "/").split("/") if p not in ("", ".", "..")]
    if not parts:
        return word
    last = parts[-1]
    stem, dot, suffix = last.rpartition(".")
    if not dot or suffix not in ("py", "js", "mjs", "cjs", "ts", "sh", "jar"):
        return last.partition("@")[0] if len(parts) == 1 else last
    vague = {"server", "index", "main", "__main__", "cli", "app", "dist", "build", "src", "bin"}
    folders = [p for p in parts[:-1] if p not in vague]
    return f"{folders[-1]}-{stem}" if stem in vague and folders else stem


def make_private_folder(folder: str) -> None:
    """Make a folder and its missing parents, each with mode 0700. Raises OSError.

    A temporary folder that another user made in our name is refused: PermissionError.
    """
    parent = os.path.dirname(folder)
    if parent not in ("", folder):
        if not os.path.isdir(parent):
            make_private_folder(parent)
        else:
            refuse_if_foreign(parent)
            refuse_if_foreign(os.path.dirname(parent))
    try:
        os.mkdir(folder, 0o700)
        os.chmod(folder, 0o700)  # whatever the umask took
    except FileExistsError:
        if not os.path.isdir(folder):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), folder) from None
    refuse_if_foreign(folder)


def refuse_if_foreign(folder: str) -> None:
    """Refuse a folder with the name of our temporary one that is not ours, or is a link. Raises OSError."""
    if hasattr(os, "getuid") and os.path.basename(folder) == temporary_folder():
        status = os.lstat(folder)
        if not is_mine(status) or status.st_mode & 0o170000 != 0o040000:
            raise PermissionError(errno.EACCES, "belongs to another user", folder)


def close_to_others(path: str) -> str:
    """Take from others their rights on mcptap's own folders around a recording. Never raises OSError.

    Returns a sentence for the user if there were any; also on a folder of the user's choice, in which
    nothing is changed, if others can replace the recording there. Empty if all is well.
    """
    folder = os.path.dirname(os.path.abspath(path))
    bases = default_folders(os.environ) if hasattr(os, "getuid") else []
    own = next((base for base in bases if folder == base or folder.startswith(base + os.sep)), "")
    try:
        return _closed(folder, os.path.dirname(own)) if own else _replaceable(folder)
    except OSError:
        return ""


def _closed(folder: str, top: str) -> str:
    found, failed = "", ""
    while len(folder) >= len(top):
        mode = os.stat(folder).st_mode & 0o7777
        if mode & 0o077:
            found = f"{folder} (mode {mode:o})"
            try:
                if os.path.islink(folder):  # what it leads to may have other uses
                    raise PermissionError
                os.chmod(folder, mode & ~0o077)
            except OSError:
                failed = found
        folder = os.path.dirname(folder)
    if failed:
        return f"others have rights on {failed}, where recordings lie: take them away (chmod 700)"
    return f"others had rights on {found}, where recordings lie; they are taken away" if found else ""


def _replaceable(folder: str) -> str:
    if not hasattr(os, "getuid"):
        return ""
    status = os.stat(folder)
    foreign = not is_mine(status) and status.st_uid != 0
    anybodys = status.st_mode & 0o002 and not status.st_mode & 0o1000  # without the sticky bit
    if not foreign and not anybodys:
        return ""
    return f"others can remove or replace recordings in {folder}, though not read them; choose another folder"


def is_mine(status: os.stat_result) -> bool:
    """Whether a file belongs to the user that this process runs as. Always so on Windows."""
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


def temporary_folder() -> str:
    """Name of the folder for recordings in the directory for temporary files."""
    return f"mcptap-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


def utc(wall_ns: int, form: str) -> str:
    """A time since 1970 as `strftime` spells it, with microseconds and the Z of UTC behind it."""
    seconds, rest = divmod(wall_ns, 1_000_000_000)
    return f"{time.strftime(form, time.gmtime(seconds))}.{rest // 1000:06d}Z"


def recording_paths(target: str | None, name: str, wall_ns: int) -> list[str]:
    """Where the session of a server is recorded, best first; of all commands that record, and so of one form.

    `target` is what `--record` names: a file, a folder, or None or empty for the user's own folders.
    `wall_ns` is the session's start.
    """
    file_name = f"{utc(wall_ns, '%Y%m%dT%H%M%S')}-{os.getpid()}{SUFFIX}"
    if not target:
        return [os.path.join(folder, name, file_name) for folder in default_folders(os.environ)]
    if names_folder(target):
        return [os.path.join(target, f"{name}-{file_name}")]
    return [target]


def numbered(path: str, number: int) -> str:
    """The sibling that is used when `path` exists: `x.jsonl`, `x.1.jsonl`, `x.2.jsonl`, …"""
    if number == 0:
        return path
    stem, suffix = os.path.splitext(path)
    return f"{stem}.{number}{suffix}"


def names_folder(target: str) -> bool:
    """Whether `--record TARGET` names a folder: it is one, or ends in a separator, or has no suffix
    and is no file.
    """
    if os.path.isdir(target) or target.endswith(("/", os.sep)):
        return True
    return not os.path.splitext(target)[1] and not os.path.isfile(target)
