"""The first record: how the server was started. How it is written, and how it is read."""

from __future__ import annotations

from mcptap.recording.format.content import as_count, from_base64, quote, quote_or_base64
from mcptap.recording.format.values import Fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    Mask = tuple[int, int, int]
    """A mask in a command line: index of the word, start and end in it, in bytes."""

FORMAT = 1
MAGIC = b'{"mcptap":'
STREAMS = ("stdin", "stdout", "stderr")
MAX_NAME = 200
"""Characters of a server's name: more is damage."""

_STRINGS = frozenset({"version", "session", "start", "name", "platform", "python", "probe", "check"})

PROBE_PARENT = "mcptap probe"
"""The name of the `parent` in recordings of `mcptap probe`, also of versions that wrote no field `probe`."""


def encode_header(
    *,
    wall_us: int,
    version: str,
    session: str,
    start: str,
    name: str,
    argv: Sequence[bytes],
    program: bytes | None,
    cwd: bytes,
    pid: int,
    platform: str,
    python: str,
    parent: bytes,
    env: bytes,
    stdio: Sequence[str],
    lock: bool,
    unrecorded: Sequence[str] = (),
    joined: bool = False,
    divert: bool = False,
    masked: Sequence[Mask] = (),
    probe: str = "",
    check: str | None = None,
) -> bytes:
    """The header record, with its newline. `parent` and `env` come from the encoders below.

    `masked` says where masks stand in `argv` in place of secrets.
    `probe` is what a session of `mcptap probe` was for, in words.
    `check` is the value that tells that this installation wrote it (see `made_here`).
    """
    return b'{"mcptap":%d,"n":1,"k":"header","t":0,"wall":%d,%b}\n' % (
        FORMAT,
        wall_us,
        b",".join(
            [
                b'"version":' + quote(version),
                b'"session":' + quote(session),
                b'"start":' + quote(start),
                b'"name":' + quote(name),
                b'"argv":' + _list(argv),
                b'"program":' + (b"null" if program is None else quote_or_base64(program)),
                b'"cwd":' + quote_or_base64(cwd),
                b'"pid":%d' % pid,
                b'"platform":' + quote(platform),
                b'"python":' + quote(python),
                b'"parent":' + parent,
                b'"env":' + env,
                b'"stdio":[' + b",".join([quote(kind) for kind in stdio]) + b"]",
                b'"lock":' + (b"true" if lock else b"false"),
                *(
                    [b'"unrecorded":[' + b",".join([quote(ch) for ch in unrecorded]) + b"]"]
                    if unrecorded
                    else []
                ),
                *([b'"joined":true'] if joined else []),
                *([b'"divert":true'] if divert else []),
                *([b'"masked":' + _masks(masked)] if masked else []),
                *([b'"probe":' + quote(probe)] if probe else []),
                *([] if check is None else [b'"check":' + quote(check)]),
            ]
        ),
    )


def encode_parent(
    pid: int,
    name: bytes | None = None,
    argv: Sequence[bytes] | None = None,
    masked: Sequence[Mask] = (),
    start: int = 0,
) -> bytes:
    """The process that started the tap, as far as it is known; `masked` as in the header.

    `start` tells it from others that had its pid before or after it; 0 if that is not known.
    """
    began = b',"start":%d' % start if start else b""
    known = b"" if name is None else b',"name":' + quote_or_base64(name)
    words = b"" if argv is None else b',"argv":' + _list(argv)
    masks = b',"masked":' + _masks(masked) if masked else b""
    return b'{"pid":%d%b%b%b%b}' % (pid, began, known, words, masks)


def encode_environment(
    names: Iterable[bytes],
    values: Iterable[tuple[bytes, bytes]],
    placeholders: Iterable[tuple[bytes, bytes]],
) -> bytes:
    """All names of variables; the values of some; of others what stands there unfilled (`${KEY}`)."""
    return b'{"names":%b,"values":%b,"placeholders":%b}' % (
        _list(names),
        _object(values),
        _object(placeholders),
    )


def encode_launch(
    argv: Sequence[bytes], cwd: bytes, environment: bytes, masked: Sequence[Mask] = ()
) -> bytes:
    """What the check value covers: the fields `argv`, `cwd`, `env` and, if it is there, `masked` as they are
    encoded, a line each.
    """
    lines = (_list(argv), quote_or_base64(cwd), environment)
    return b"\n".join((*lines, _masks(masked)) if masked else lines)


def _masks(masked: Sequence[Mask]) -> bytes:
    return b"[" + b",".join([b"[%d,%d,%d]" % place for place in masked]) + b"]"


def _list(items: Iterable[bytes]) -> bytes:
    return b"[" + b",".join([quote_or_base64(item) for item in items]) + b"]"


def _object(pairs: Iterable[tuple[bytes, bytes]]) -> bytes:
    """A name can't be written as base64; one that is not UTF-8 has its odd bytes as `\\xff`."""
    members = [(quote(name.decode(errors="backslashreplace")), quote_or_base64(text)) for name, text in pairs]
    return b"{" + b",".join([name + b":" + text for name, text in members]) + b"}"


class Header(Fields):
    """The first record, as it is read. `fields` has it all, as written, but for what has a wrong type."""

    __slots__ = ("fields", "number")

    def __init__(self, fields: dict[str, Any], number: int = 1) -> None:
        self.fields = {name: value for name, value in fields.items() if _is_valid(name, value)}
        self.number = number

    @property
    def name(self) -> str:
        """The server's name."""
        return self.fields.get("name", "")[:MAX_NAME] or "server"

    @property
    def argv(self) -> list[str]:
        """The command and its arguments; bytes that are no UTF-8 come as surrogate escapes."""
        return [as_text(a) for a in as_list(self.fields.get("argv"))]

    @property
    def masked(self) -> list[Mask]:
        """The masks in `argv`: index of the word, start and end in bytes; in order, apart."""
        words = [_as_bytes(word) for word in self.argv]
        found: list[Mask] = []
        for place in as_list(self.fields.get("masked")):
            if type(place) is not list or len(place) != 3 or any(type(number) is not int for number in place):
                continue
            at, start, end = place
            behind = not found or (found[-1][0], found[-1][2]) <= (at, start)
            if behind and 0 <= at < len(words) and 0 <= start < end <= len(words[at]):
                found.append((at, start, end))
        return found

    @property
    def cwd(self) -> str:
        """The working directory, or an empty string if it is not known."""
        return as_text(self.fields.get("cwd") or "")

    @property
    def program(self) -> str | None:
        """The file that was found for the command, if one was."""
        found = self.fields.get("program")
        return None if found is None else as_text(found)

    @property
    def parent(self) -> dict[str, Any]:
        """`pid`, `start`, `name` and `argv` (as text) of the process that started the tap, where known."""
        found = as_object(self.fields.get("parent"))
        argv = [as_text(word) for word in as_list(found.get("argv"))]
        numbers = {name: as_count(found.get(name)) for name in ("pid", "start")}
        known = {**numbers, "name": as_text(found.get("name")), "argv": argv}
        return {name: value for name, value in known.items() if value}

    @property
    def environment(self) -> dict[str, Any]:
        """`names`, `values` and `placeholders` of the environment, where known."""
        return as_object(self.fields.get("env"))

    @property
    def start_wall_us(self) -> int:
        """Wall-clock start in microseconds since 1970; 0 if it is not known."""
        return as_count(self.fields.get("wall")) or 0

    @property
    def stdio(self) -> dict[str, str]:
        """What the tap's own `stdin`, `stdout` and `stderr` were (`pipe`, `tty`, …), where known."""
        kinds = as_list(self.fields.get("stdio"))
        return {name: as_text(kind) for name, kind in zip(STREAMS, kinds, strict=False)}

    @property
    def unrecorded(self) -> list[str]:
        """Channels in which the tap did not stand, since the server had the descriptor itself."""
        return [channel for channel in map(as_text, as_list(self.fields.get("unrecorded"))) if channel]

    @property
    def joined(self) -> bool:
        """Whether stdout and stderr were one pipe, so that lines of stderr stand in `s2c`."""
        return self.fields.get("joined") is True

    @property
    def probe(self) -> str:
        """What the session was for, in words, if `mcptap probe` played the client; else empty."""
        return as_text(self.fields.get("probe")) or (
            "unmarked" if self.parent.get("name") == PROBE_PARENT else ""
        )

    @property
    def diverts(self) -> bool:
        """Whether lines of stdout that were no messages went to stderr, and unfinished ones waited."""
        return self.fields.get("divert") is True

    @property
    def check(self) -> str:
        """The value that tells whether this installation wrote the header; empty if there is none."""
        return as_text(self.fields.get("check"))

    @property
    def capture(self) -> dict[str, Any]:
        """What a converted capture was, and what it did not know; empty for what mcptap recorded itself."""
        return as_object(self.fields.get("capture"))

    @property
    def export(self) -> dict[str, Any]:
        """What was done to a recording when it was exported; empty for one that was not."""
        return as_object(self.fields.get("export"))

    @property
    def is_masked(self) -> bool:
        """Whether values of its lines were replaced by masks."""
        return bool(as_object(self.export.get("masked")))

    @property
    def not_judged_again(self) -> list[tuple[str, int | None]]:
        """Findings, by rule and record, that hang on values which were masked since."""
        found = map(as_object, as_list(self.export.get("not_rejudged")))
        return [(as_text(one.get("rule")), as_count(one.get("line"))) for one in found]

    def encoded_launch(self) -> bytes:
        """What the check value covers, encoded from what the properties give. Raises UnicodeError."""
        environment = self.environment
        values, placeholders = (as_object(environment.get(part)) for part in ("values", "placeholders"))
        return encode_launch(
            [_as_bytes(word) for word in self.argv],
            _as_bytes(self.cwd),
            encode_environment(
                [_as_bytes(as_text(name)) for name in as_list(environment.get("names"))],
                [(_as_bytes(name), _as_bytes(as_text(value))) for name, value in values.items()],
                [(_as_bytes(name), _as_bytes(as_text(value))) for name, value in placeholders.items()],
            ),
            self.masked,
        )

    @property
    def has_lock(self) -> bool:
        """Whether the tap holds a lock on the file while it lives."""
        return bool(self.fields.get("lock", True))


def _is_valid(name: str, value: Any) -> bool:
    """Whether a field that is a string by the format is one."""
    return name not in _STRINGS or isinstance(value, str)


def as_text(value: Any) -> str:
    """A string of the header, or one that had to be written as `{"b64": …}`."""
    if isinstance(value, dict):
        try:
            return from_base64(str(value.get("b64", ""))).decode(errors="surrogateescape")
        except ValueError:
            return ""
    if not isinstance(value, str):
        return ""
    try:
        value.encode(errors="surrogateescape")
    except UnicodeEncodeError:  # half a character, which no bytes decode to
        return value.encode(errors="replace").decode()
    return value


def _as_bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


def as_list(value: Any) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_object(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}
