"""Recordings made for tests by the real writer, with a clock that the test sets.

    path = record(tmp_path / "x.jsonl", [("c2s", request(1, "ping")), ("s2c", result(1))])

A step is a channel with what passed on it (an object becomes a JSON line; bytes are taken as
they are), or an event with its fields, or `("wait", microseconds)`.
"""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from mcptap.recording.file import RecordingFile
from mcptap.recording.format.header import encode_environment, encode_header, encode_parent
from mcptap.recording.writer import ChannelRecorder, Recorder
from mcptap.wire import CHANNELS

START_WALL_US = 1_795_987_023_103_145
START = "2026-11-29T21:17:03.103145Z"
STEP_US = 1_000
"""How far the clock goes before each step."""

Step = tuple[str, Any]

SPAWN: Step = ("spawn", {"pid": 4242})
EXIT: Step = ("exit", {"code": 0, "us": 1_000_000})
END: list[Step] = [("end", "c2s"), ("end", "s2c"), ("end", "stderr"), EXIT]
"""A session's normal end."""


def header(*, locked: bool = True, **fields: Any) -> bytes:
    """A header as the tap writes it, with its newline; `fields` stand in place of the usual ones."""
    written = encode_header(
        wall_us=START_WALL_US,
        version="0.1.0",
        session="0123456789abcdef",
        start=START,
        name="weather",
        argv=[b"python", b"weather.py"],
        program=b"/usr/bin/python",
        cwd=b"/home/someone/project",
        pid=4241,
        platform="linux",
        python="3.12.1",
        parent=encode_parent(4000, b"agent", [b"/usr/bin/agent"]),
        env=encode_environment([b"HOME", b"PATH"], [(b"HOME", b"/home/someone")], []),
        stdio=["pipe", "pipe", "pipe"],
        lock=locked,
    )
    return _dump({**json.loads(written), **fields}).encode() + b"\n"


class Tape:
    """A recording in the making: the writer with a clock that stands still between steps.

    While it is open the recording is live; closed without an `exit` event it is a crashed one.
    """

    def __init__(self, path: str | os.PathLike[str], **header: Any) -> None:
        self.t_us = 0
        self._header = header
        self._file = RecordingFile([os.fspath(path)], self._header_record, self._fail)
        self._recorder = _ClockedRecorder(self)
        self._channels = {c: ChannelRecorder(self._recorder, c) for c in CHANNELS}
        assert self._file.path is not None
        self.path: str = self._file.path

    def __enter__(self) -> Tape:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def file(self) -> RecordingFile:
        """The file that is written."""
        return self._file

    def play(self, steps: Iterable[Step]) -> Tape:
        """Do the steps, one after another."""
        for kind, content in steps:
            if kind == "wait":
                self.t_us += content
                continue
            self.t_us += STEP_US
            if kind in CHANNELS:
                self._channels[kind].take(as_bytes(content))
            elif kind == "end":
                self._channels[content].end()
            else:
                self.event(kind, **content)
        return self

    def event(self, kind: str, **fields: Any) -> None:
        """Write an event."""
        encoded = "".join(f",{_dump(k)}:{_dump(v)}" for k, v in fields.items()).encode()
        self._recorder.event((kind.encode(), encoded))

    def close(self) -> None:
        """End the recording: it is no longer live."""
        self._recorder.close()

    def _header_record(self, locked: bool) -> bytes:
        return header(locked=locked, **self._header)

    @staticmethod
    def _fail(sentence: str) -> None:
        raise AssertionError(sentence)


class _ClockedRecorder(Recorder):
    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        super().__init__(0, tape.file)

    def now(self) -> tuple[int, int]:
        return self._tape.t_us, START_WALL_US + self._tape.t_us


def record(path: str | os.PathLike[str], steps: Iterable[Step], **header: Any) -> Path:
    """Write a recording of these steps; `header` overrides fields of its header."""
    with Tape(path, **header) as tape:
        tape.play(steps)
    return Path(tape.path)


def as_bytes(content: Any) -> bytes:
    """What passes on the wire: bytes as they are, anything else as a line of JSON."""
    return content if isinstance(content, bytes) else _dump(content).encode() + b"\n"


def request(id: Any, method: str, params: Any = None) -> dict[str, Any]:
    """A request of JSON-RPC."""
    return {"jsonrpc": "2.0", "id": id, "method": method, **({} if params is None else {"params": params})}


def notification(method: str, params: Any = None) -> dict[str, Any]:
    """A notification of JSON-RPC."""
    return {"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})}


def result(id: Any, value: Any = None) -> dict[str, Any]:
    """An answer with a result."""
    return {"jsonrpc": "2.0", "id": id, "result": {} if value is None else value}


def error(id: Any, code: int, message: str) -> dict[str, Any]:
    """An answer with an error."""
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}


def handshake(
    version: str = "2025-11-25",
    client: str = "agent",
    client_version: str = "1.2.3",
    capabilities: dict[str, Any] | None = None,
) -> list[Step]:
    """Spawn, `initialize` (id 0), its answer and `notifications/initialized`."""
    info = {"name": client, "version": client_version}
    offered = {"tools": {}} if capabilities is None else capabilities
    answer = {
        "protocolVersion": version,
        "capabilities": offered,
        "serverInfo": {"name": "weather", "version": "2.0"},
    }
    asked = {"protocolVersion": version, "capabilities": {}, "clientInfo": info}
    return [
        SPAWN,
        ("c2s", request(0, "initialize", asked)),
        ("s2c", result(0, answer)),
        ("c2s", notification("notifications/initialized")),
    ]


def call(id: Any, tool: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    """A `tools/call` request."""
    return request(id, "tools/call", {"name": tool, "arguments": arguments or {}})


def text_result(id: Any, text: str, is_error: bool = False) -> dict[str, Any]:
    """A tool's result of one piece of text."""
    value: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
    return result(id, {**value, "isError": True} if is_error else value)


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def changed(item: Any, **fields: Any) -> Any:
    """A copy of a record with other values in some fields."""
    copied = copy.copy(item)
    for name, value in fields.items():
        setattr(copied, name, value)
    return copied


def rewrite(path: str | os.PathLike[str], **spelling: Any) -> Path:
    """A copy of a recording as a program leaves it that parses and writes JSON (`sort_keys=True`, …)."""
    target = Path(path).with_suffix(".rewritten.jsonl")
    lines = Path(path).read_text().splitlines()
    target.write_text("".join(json.dumps(json.loads(line), **spelling) + "\n" for line in lines))
    return target
