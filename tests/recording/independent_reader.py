"""A reader of recordings written from `recordings/README.md` alone: it imports nothing of mcptap."""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from typing import Any

CHANNELS = ("c2s", "s2c", "stderr")
NEEDED = {"eof": "ch", "signal": "signal", "blocked": "us", "log": "text"}


class Reading:
    """What a recording holds: bytes by channel, and the numbers of odd records."""

    def __init__(self, data: bytes) -> None:
        self.bytes = dict.fromkeys(CHANNELS, b"")
        self.delivered = b""
        self.damaged: list[int] = []
        self.not_exact: dict[int, Any] = {}
        self.finished = False
        self.parts: dict[str, list[tuple[int, bytes]]] = defaultdict(list)
        lines = data.split(b"\n")[:-1]  # a last line without its LF is left out
        assert json.loads(lines[0])["mcptap"] == 1
        for number, raw in enumerate(lines[1:], 2):
            try:
                self._read(raw, number)
            except (ValueError, KeyError, TypeError, AttributeError):
                self.damaged.append(number)
        self.unfinished = sorted(parts[-1][0] for parts in self.parts.values() if parts)
        for channel, parts in self.parts.items():
            self.bytes[channel] += b"".join(piece for _, piece in parts)

    def _read(self, raw: bytes, number: int) -> None:
        record = json.loads(raw)
        kind, channel = record["k"], record.get("ch")
        require(
            isinstance(kind, str) and kind != "header" and is_count(record["t"]) and is_count(record["wall"])
        )
        require(NEEDED.get(kind, "k") in record and are_of_their_types(record))
        self.finished |= (
            kind == "exit" or (kind == "spawn" and "errno" in record) or record.get("rest") is True
        )
        if kind not in ("line", "part"):
            return
        require(channel in CHANNELS and sum(name in record for name in ("msg", "text", "b64")) == 1)
        content = self._content(record, raw)
        parts = self.parts[channel]
        if kind == "part":
            require("msg" not in record and is_count(record["at"]))
            if record["at"] == 0:
                parts.clear()
            if record["at"] == sum(len(piece) for _, piece in parts):
                parts.append((number, content))
            return
        eol, offset = record.get("eol", "\n"), record.get("from", 0)
        require(eol in ("\n", "\r\n", "") and is_count(offset) and is_count(record.get("t0", 0)))
        require(is_count(record.get("diverted", 0)))
        before = b"".join(piece for _, piece in parts) if offset else b""
        parts.clear()
        require(len(before) == offset)
        if "msg" in record and not is_exact(raw):
            self.not_exact[number] = record["msg"]
        else:
            line = before + content
            self.bytes[channel] += line + eol.encode()
            cut = record.get("diverted", 0)
            if channel == "s2c" and not ("diverted" in record and cut >= len(line)):
                self.delivered += line[cut:] + eol.encode()

    def _content(self, record: dict[str, Any], raw: bytes) -> bytes:
        if "text" in record:
            return record["text"].encode()
        if "b64" in record:
            return base64.b64decode(record["b64"], validate=True)
        return raw.partition(b'"msg":')[2].rpartition(b"}")[0]


def is_exact(raw: bytes) -> bool:
    """Whether the bytes of `msg` are those of the wire."""
    before, _, rest = raw.partition(b'"msg":')
    try:
        json.loads(rest.rpartition(b"}")[0])
    except ValueError:
        return False
    return not any(space in before for space in b" \t\r")


def is_count(value: Any) -> bool:
    """Whether it is a time or a number of bytes."""
    return type(value) is int and 0 <= value < 1 << 62


def are_of_their_types(record: dict[str, Any]) -> bool:
    """Whether the fields of an event are what the tables say."""
    types = {
        "spawn": {"pid": is_count, "errno": is_integer, "error": is_string, "status": is_integer},
        "paths": {"found": are_counts, "missing": are_counts},
        "eof": {"ch": CHANNELS.__contains__, "why": is_string},
        "signal": {"signal": is_string, "sender": is_count, "forwarded": is_boolean},
        "blocked": {"ch": CHANNELS.__contains__, "us": is_count},
        "gap": {"records": is_count, "bytes": is_count, "since": is_count, "why": is_string},
        "question": {"what": is_string},
        "log": {"level": is_string, "text": is_string},
        "exit": {"code": is_integer, "signal": is_string, "us": is_count, "left": are_counts},
    }
    return all(fits(record[name]) for name, fits in types.get(record["k"], {}).items() if name in record)


def is_integer(value: Any) -> bool:
    return type(value) is int


def is_string(value: Any) -> bool:
    return isinstance(value, str)


def is_boolean(value: Any) -> bool:
    return isinstance(value, bool)


def are_counts(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_count, value))


def require(condition: bool) -> None:
    """Raise ValueError, for a damaged record."""
    if not condition:
        raise ValueError
