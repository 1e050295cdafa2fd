"""How long recordings are kept: limits, the standing one in the user's settings, and what is over one.

[recordings]               # in settings.toml of mcptap's folder for settings
older-than = "30d"
keep = 20
max-size = "500MB"
keep-findings = true

The standing limit is read from that one file of the user's and never from a project's: a cloned repository
must not delete recordings. `mcptap prune` alone goes by it; nothing is deleted by itself.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mcptap.errors import UserError
from mcptap.recording.paths import home_of, is_mine
from mcptap.recording.private import write_private
from mcptap.text.toml import read_toml_settings

SETTINGS_NAME = "settings.toml"
TABLE = "recordings"
KEYS = ("older-than", "keep", "max-size", "keep-findings")

_DAY_S = 86_400
_AGES = {"m": 60, "h": 3_600, "d": _DAY_S, "w": 7 * _DAY_S}
_SIZES = {
    "b": 1,
    "k": 10**3,
    "kb": 10**3,
    "m": 10**6,
    "mb": 10**6,
    "g": 10**9,
    "gb": 10**9,
    "t": 10**12,
    "tb": 10**12,
}
_QUANTITY = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)\s?([A-Za-z]{0,2})")


@dataclass(frozen=True, slots=True)
class Limit:
    """Which recordings go: those that any of these names."""

    older_than_s: int | None = None
    """Whose last record is older than so many seconds."""
    keep: int | None = None
    """Of each server all but so many, the newest; of its probes as well."""
    max_bytes: int | None = None
    """The oldest, until all together have no more than so many bytes."""
    keep_findings: bool = False
    """But for those in which `check` finds something."""

    @property
    def is_none(self) -> bool:
        """Whether nothing is over it."""
        return self.older_than_s is None and self.keep is None and self.max_bytes is None

    def words(self) -> str:
        """The limit as options of `mcptap prune`."""
        said = []
        if self.older_than_s is not None:
            said.append(f"--older-than {age_words(self.older_than_s)}")
        if self.keep is not None:
            said.append(f"--keep {self.keep}")
        if self.max_bytes is not None:
            said.append(f"--max-size {size_words(self.max_bytes)}")
        if self.keep_findings:
            said.append("--keep-findings")
        return " ".join(said)


def parse_age(text: str) -> int:
    """Seconds of an age such as `30d`, `12h`, `90m`; `6M` is none, it may be months. Raises ValueError."""
    number, unit = _quantity(text)
    if unit not in _AGES:
        raise ValueError(f"{text!r} is no age: say 30d, 12h, 2w or 90m (days, hours, weeks, minutes)")
    return round(number * _AGES[unit])


def parse_size(text: str) -> int:
    """Bytes of a size such as `500MB`, `1.5GB`, `200k`; a kB is 1,000 bytes. Raises ValueError.

    A number alone is none: who says 30 means days, or megabytes.
    """
    number, unit = _quantity(text)
    unit = unit.lower()
    if unit not in _SIZES:
        raise ValueError(f"{text!r} is no size: say 500MB, 1.5GB or 200kB")
    return round(number * _SIZES[unit])


def parse_either(text: str) -> Limit:
    """The limit that an age or a size alone means. Raises ValueError if it is neither, or may be both."""
    try:
        age = Limit(older_than_s=parse_age(text))
    except ValueError:
        return Limit(max_bytes=parse_size(text))
    try:
        parse_size(text)
    except ValueError:
        return age
    raise ValueError(f"{text!r} may be minutes or megabytes: say 12h or 500MB")


def _quantity(text: str) -> tuple[float, str]:
    found = _QUANTITY.fullmatch(text.strip())
    return (float(found[1]), found[2]) if found else (0.0, "?")


def age_words(seconds: int) -> str:
    """An age as `parse_age` reads it."""
    unit = next((unit for unit in ("w", "d", "h") if seconds and not seconds % _AGES[unit]), "m")
    return f"{seconds // _AGES[unit]}{unit}"


def size_words(count: int) -> str:
    """A size as `parse_size` reads it."""
    for unit in ("TB", "GB", "MB", "kB"):
        thousandths, rest = divmod(count * 1_000, _SIZES[unit.lower()])
        if thousandths >= 1_000 and not rest:
            whole, part = divmod(thousandths, 1_000)
            return f"{whole}" + f".{part:03}".rstrip("0").rstrip(".") + unit
    return f"{count}B"


# --- what is over a limit ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Candidate:
    """A recording that may go: what is asked of it."""

    path: str
    server: str
    last_us: int
    """When its last record was written, in microseconds since 1970."""
    size: int
    is_probe: bool = False
    """Whether `mcptap probe` made it. Counted apart: a few probes must not push an agent's sessions out."""


def over(
    recordings: Iterable[Candidate], limit: Limit, now_us: int, may_go: Callable[[Candidate], bool]
) -> list[tuple[Candidate, str]]:
    """The recordings that are over a limit, oldest first, each with the reason in a few words.

    `may_go` is asked about each before it is counted as gone: what stays takes its room.
    """
    newest = sorted(recordings, key=lambda one: (one.last_us, one.path), reverse=True)
    rank: Counter[tuple[str, bool]] = Counter()
    total = sum(one.size for one in newest)
    reasons: dict[str, str] = {}
    for one in newest:
        rank[one.server, one.is_probe] += 1
        if limit.older_than_s is not None and now_us - one.last_us > limit.older_than_s * 1_000_000:
            reasons[one.path] = f"older than {age_words(limit.older_than_s)}"
        elif limit.keep is not None and rank[one.server, one.is_probe] > limit.keep:
            reasons[one.path] = f"not among the newest {limit.keep}" if limit.keep else "none is kept"
    gone: list[tuple[Candidate, str]] = []
    for one in reversed(newest):
        reason = reasons.get(one.path, "")
        if not reason and limit.max_bytes is not None and total > limit.max_bytes:
            reason = f"over {size_words(limit.max_bytes)} in all"
        if reason and may_go(one):
            gone.append((one, reason))
            total -= one.size
    return gone


# --- the standing limit --------------------------------------------------------------------------


def settings_path(environ: Mapping[str, str]) -> str:
    """The user's own file of settings, as platformdirs has its folder. Empty if there is no home folder.

    A relative `XDG_CONFIG_HOME` is ignored: it would name a file of the project where one stands.
    """
    home = home_of(environ)
    if sys.platform == "win32":
        base = environ.get("LOCALAPPDATA") or (home and os.path.join(home, "AppData", "Local"))
    elif sys.platform == "darwin":
        base = home and os.path.join(home, "Library", "Application Support")
    else:
        base = environ.get("XDG_CONFIG_HOME", "")
        if not os.path.isabs(base):
            base = home and os.path.join(home, ".config")
    return os.path.join(base, "mcptap", SETTINGS_NAME) if base and os.path.isabs(base) else ""


def standing_limit(environ: Mapping[str, str]) -> Limit:
    """The limit in the user's settings; none if there are none. Raises UserError if they can't be read."""
    path = settings_path(environ)
    return _limit(_settings(path).get(TABLE, {}), path)


def _limit(table: Any, path: str) -> Limit:
    """The limit of a table of the file at `path`. Raises UserError."""
    if not isinstance(table, dict):
        raise UserError(f"{path}: {TABLE} has to be a table of settings")
    unknown = sorted(set(table) - set(KEYS))
    if unknown:
        raise UserError(f"{path}: {TABLE} has no setting {unknown[0]!r}; it has {', '.join(KEYS)}")
    older, keep, most = table.get("older-than"), table.get("keep"), table.get("max-size")
    findings = table.get("keep-findings", False)
    if keep is not None and (type(keep) is not int or keep < 0):
        raise UserError(f"{path}: keep has to be a whole number, 0 or more")
    if type(findings) is not bool:
        raise UserError(f"{path}: keep-findings has to be true or false")
    try:
        return Limit(
            None if older is None else parse_age(str(older)),
            keep,
            None if most is None else parse_size(str(most)),
            findings,
        )
    except ValueError as error:
        raise UserError(f"{path}: {error}") from None


def _settings(path: str) -> dict[str, Any]:
    """All of the user's settings; nothing if there is no file. Raises UserError."""
    try:
        return read_toml_settings(_read(path))
    except ValueError as error:
        raise UserError(f"{path}: {error}") from error


def _read(path: str) -> bytes:
    """What stands in the file of settings; nothing if there is none. Raises UserError."""
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(fd, "rb") as file:
            status = os.fstat(fd)
            if not stat.S_ISREG(status.st_mode):
                raise UserError(f"{path} is no regular file, so it is not gone by")
            if not is_mine(status) or (os.name != "nt" and status.st_mode & 0o022):
                raise UserError(f"{path} can be written by others, so it is not gone by; make it yours alone")
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return b""
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error


def save_standing_limit(limit: Limit, environ: Mapping[str, str]) -> str:
    """Write a limit into the user's settings (none: take it out), in one step; returns the file's path.

    Lines of other tables, and comments on lines of their own, stay as they are. Raises UserError if it
    can't be written.
    """
    path = settings_path(environ)
    if not path:
        raise UserError("there is no home folder for settings; set HOME")
    if standing_limit(environ) == limit:  # and what can't be read is not replaced
        return path
    text = _with_table(_read(path).decode(), limit)
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        write_private(os.path.realpath(path), text.encode())
    except OSError as error:
        raise UserError(f"the settings {path} can't be written: {error.strerror}") from error
    return path


def _setting_lines(limit: Limit) -> list[str]:
    lines = []
    if limit.older_than_s is not None:
        lines.append(f'older-than = "{age_words(limit.older_than_s)}"')
    if limit.keep is not None:
        lines.append(f"keep = {limit.keep}")
    if limit.max_bytes is not None:
        lines.append(f'max-size = "{size_words(limit.max_bytes)}"')
    if limit.keep_findings:
        lines.append("keep-findings = true")
    return lines


_HEADER = re.compile(rf"\s*\[\s*{TABLE}\s*\]\s*(#.*)?")
_SETTING = re.compile(rf"\s*(?:{'|'.join(KEYS)})\s*=.*")


def _with_table(text: str, limit: Limit) -> str:
    """A text of TOML with the settings of its table replaced. Raises UserError if that would change more."""
    eol = "\r\n" if "\r\n" in text else "\n"
    lines = text.removesuffix("\n").removesuffix("\r").split(eol) if text else []
    begin = next((at for at, line in enumerate(lines) if _HEADER.fullmatch(line)), len(lines))
    end = next((at for at in range(begin + 1, len(lines)) if lines[at].lstrip().startswith("[")), len(lines))
    header, kept = lines[begin : begin + 1], lines[begin + 1 : end]
    kept = [line for line in kept if not _SETTING.fullmatch(line)]
    new = _setting_lines(limit)
    if new:
        new = [*(header or [f"[{TABLE}]"]), *new]
    elif not kept or not kept[0].strip():
        kept = kept[1:]  # the space that stood between the tables
    result = "".join(f"{line}{eol}" for line in [*lines[:begin], *new, *kept, *lines[end:]])
    before, after = _values(text), _values(result)
    before.pop(TABLE, None)
    table = after.pop(TABLE, {})
    if before != after or _limit(table, "") != limit:
        raise UserError(f"the settings hold {TABLE} in a form that can't be replaced; change them by hand")
    return result


def _values(text: str) -> dict[str, Any]:
    """The values of a text of TOML; none if it is no TOML."""
    try:
        return read_toml_settings(text.encode())
    except ValueError:
        return {}
