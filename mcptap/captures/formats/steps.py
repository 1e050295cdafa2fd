r"""A session written down step by step, with everything that a recording of mcptap has.

`mcptap rules RULE` prints such sessions, and the cases of the rules are written so. The first
line says what is known; `mcptap/diagnosis/cases/README.md` explains all of them. Text that
stands before the first `known:` line is left out, and so is a second session.

The header is record 1; each line and event is a record of its own, numbered from 2. A
millisecond lies between two steps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from mcptap.captures.evidence import PROVABLE, Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.lines import ARROWS
from mcptap.errors import UserError
from mcptap.protocol.contract.items import METHODS
from mcptap.protocol.contract.lock import Lock
from mcptap.protocol.contract.lock_file import HEAD, parse_lock
from mcptap.recording.format.model import Damaged, Event, Header, Item, Line, RecordingError
from mcptap.recording.reader import State
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR

KNOWN = re.compile(r"\s*known: everything(?: but ([a-z]+(?:, ?[a-z]+)*))?\s*")
EVERYTHING = Evidence(origin="a session written step by step")
STEP_US = 1_000
"""Microseconds from one step to the next."""

_START_US = 1_795_987_023_103_145
_LAUNCH = {
    "wall": _START_US,
    "name": "weather",
    "argv": ["python", "weather.py"],
    "program": "/usr/bin/python",
    "cwd": "/home/someone/project",
    "pid": 4241,
    "platform": "linux",
    "parent": {"pid": 4000, "name": "agent", "argv": ["/usr/bin/agent"]},
    "env": {"names": ["HOME", "PATH"], "values": {"HOME": "/home/someone"}, "placeholders": {}},
}
"""What the header says where `* the launch` says nothing else."""

_LOCKED = {
    "server": "weather",
    "command": _LAUNCH["argv"],
    "name": "scales",
    "version": "1",
    "revision": "2025-11-25",
    "capabilities": ["tools"],
    "lists": list(METHODS),
}
"""The line of the server in a lock, unless that has its own."""

_CLIENT_INFO = {"name": "agent", "version": "1"}
_SERVER_INFO = {"name": "scales", "version": "1"}
_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": _CLIENT_INFO,
    "io.modelcontextprotocol/clientCapabilities": {},
}
_MODERN_RESULT = {
    "resultType": "complete",
    "ttlMs": 0,
    "cacheScope": "private",
    "_meta": {"io.modelcontextprotocol/serverInfo": _SERVER_INFO},
}
_DIVERTED = re.compile(r"<-\|(?: (\d{1,7})\|)? ?(.*)")
"""A line of the server that was diverted to stderr, or so many bytes of its beginning."""
_BYTE_ARROWS = {"-~>": CLIENT_TO_SERVER, "<~-": SERVER_TO_CLIENT, "er~": STDERR}
_STREAMS = {"stdin": CLIENT_TO_SERVER, "stdout": SERVER_TO_CLIENT, "stderr": STDERR}
_LOCK_STEP = re.compile(r"\s*\* the lock: (\{.*\})\s*")
_LAUNCH_STEP = re.compile(r"\s*\* the launch: (\{.*\})\s*")


class StepError(RecordingError):
    """A line is no step. The text is a sentence without the place."""


def evidence_of(line: str) -> Evidence:
    """What a `known:` line says. Raises StepError."""
    found = KNOWN.fullmatch(line)
    if found is None:
        raise StepError('say "known: everything" or "known: everything but times, framing"')
    missing = [name.strip() for name in (found[1] or "").split(",") if name.strip()]
    for name in missing:
        if name not in PROVABLE:
            raise StepError(f"{name!r} is nothing that a capture can prove; known are {', '.join(PROVABLE)}")
    return replace(EVERYTHING, **dict.fromkeys(missing, False))  # type: ignore[arg-type]


def header_of(lines: Iterable[str]) -> Header:
    """The header of a session: what its `* the launch` says, over the usual one. Raises StepError."""
    said: dict[str, Any] = {}
    for line in lines:
        found = _LAUNCH_STEP.fullmatch(line)
        if found:
            said.update(_objects(found[1])[0])
    return Header({**_LAUNCH, **said})


def lock_of(lines: Iterable[str]) -> Lock | None:
    """What was approved before the session, if its `* the lock` lines say so. Raises StepError.

    They are lines of mcptap.lock; the server's own may be missing.
    """
    found = [match[1] for line in lines if (match := _LOCK_STEP.fullmatch(line))]
    if not found:
        return None
    usual = [] if any("command" in _objects(text)[0] for text in found) else [json.dumps(_LOCKED)]
    try:
        return Lock(servers=parse_lock("\n".join([json.dumps(HEAD), *usual, *found]).encode(), "the lock"))
    except UserError as error:
        raise StepError(str(error)) from error


class Steps:
    """Turns the lines of one session, from below its `known:` line, into items of a recording."""

    def __init__(self) -> None:
        self.state = State.FINISHED
        """What became of the session, once all lines were fed."""
        self._ended = False
        self._number = 1
        self._t_us = 0
        self._begun: dict[str, Line] = {}
        self._modern = False
        self._list_id = 9000

    def feed(self, line: str) -> list[Item]:
        """The items of one line. Raises StepError if it is no step."""
        word, _, rest = line.partition(" ")
        if word in ARROWS:
            return self._bytes(ARROWS[word], rest.encode(errors="surrogateescape") + b"\n")
        if word in _BYTE_ARROWS:
            return self._bytes(_BYTE_ARROWS[word], _unescaped(rest))
        if diverted := _DIVERTED.fullmatch(line):
            return self._diverted(diverted[2].encode(errors="surrogateescape"), diverted[1])
        for pattern, make in _STEPS:
            found = pattern.fullmatch(line)
            if found:
                return make(self, *found.groups())
        raise StepError(f"there is no such step: {line}")

    def finish(self) -> list[Item]:
        """The usual end, if the session named none."""
        if self._ended:
            return []
        return [*(item for name in _STREAMS for item in self._end(name)), *self._exit("0")]

    def unfinished(self) -> list[Line]:
        """Lines whose end never came."""
        return list(self._begun.values())

    def _bytes(self, channel: str, data: bytes) -> list[Item]:
        """The lines that these bytes end; what is begun takes a record's number as a part of a line."""
        self._t_us += STEP_US
        items: list[Item] = []
        *ended, rest = data.split(b"\n")
        for piece in ended:
            whole = self._take_begun(channel) + piece
            eol = b"\r\n" if whole.endswith(b"\r") else b"\n"
            items.append(self._line(channel, whole.removesuffix(b"\r"), eol))
        if rest:
            self._begun[channel] = self._line(channel, self._take_begun(channel) + rest, b"", False)
        return items

    def _diverted(self, data: bytes, cut: str | None) -> list[Item]:
        self._t_us += STEP_US
        line = self._line(SERVER_TO_CLIENT, data, b"\n")
        line.diverted = len(data) if cut is None else int(cut)
        return [line]

    def _take_begun(self, channel: str) -> bytes:
        begun = self._begun.pop(channel, None)
        return b"" if begun is None else begun.data

    def _line(self, channel: str, data: bytes, eol: bytes, complete: bool = True) -> Line:
        self._number += 1
        return Line(
            self._number, channel, data, eol, self._t_us, self._t_us, _START_US + self._t_us, complete
        )

    def _message(self, channel: str, **members: Any) -> list[Item]:
        text = json.dumps({"jsonrpc": "2.0", **members}, ensure_ascii=False, separators=(",", ":"))
        return self._bytes(channel, text.encode() + b"\n")

    def _event(self, kind: str, /, **members: Any) -> list[Item]:
        self._t_us += STEP_US
        self._number += 1
        return [Event(self._number, kind, self._t_us, _START_US + self._t_us, members)]

    def _any_event(self, kind: str, members: str | None) -> list[Item]:
        return self._event(kind, **_objects(members or "", {})[0])

    def _launch(self, members: str) -> list[Item]:
        if self._number > 1:
            raise StepError("the launch stands before all other steps")
        _objects(members)  # the header has them; here it is only seen that they can be read
        return []

    def _lock(self, members: str) -> list[Item]:
        _objects(members)
        return []

    def _start(self) -> list[Item]:
        return self._event("spawn", pid=4242)

    def _handshake(self, revision: str | None, declared: str | None) -> list[Item]:
        server, client = _objects(declared or "", {"tools": {}}, {})
        opening = {"protocolVersion": revision or "2025-11-25"}
        asked = {**opening, "capabilities": client, "clientInfo": _CLIENT_INFO}
        answer = {**opening, "capabilities": server, "serverInfo": _SERVER_INFO}
        return [
            *self._start(),
            *self._message(CLIENT_TO_SERVER, id="init", method="initialize", params=asked),
            *self._message(SERVER_TO_CLIENT, id="init", result=answer),
            *self._message(CLIENT_TO_SERVER, method="notifications/initialized"),
        ]

    def _discover(self, declared: str | None) -> list[Item]:
        self._modern = True
        (server,) = _objects(declared or "", {"tools": {}})
        answer = {"supportedVersions": ["2026-07-28"], "capabilities": server, **_MODERN_RESULT}
        return [
            *self._start(),
            *self._message(
                CLIENT_TO_SERVER, id="discover", method="server/discover", params={"_meta": _META}
            ),
            *self._message(SERVER_TO_CLIENT, id="discover", result=answer),
        ]

    def _tools(self, text: str | None) -> list[Item]:
        return self._list([word if isinstance(word, dict) else _tool(word) for word in _words(text or "")])

    def _described(self, name: str, characters: str) -> list[Item]:
        return self._list([{**_tool(name), "description": "d" * int(characters)}])

    def _list(self, tools: list[Any], cursor: str = "", following: str = "") -> list[Item]:
        self._list_id += 1
        params = {**({"cursor": cursor} if cursor else {}), **({"_meta": _META} if self._modern else {})}
        asked = {"params": params} if params else {}
        result = {"tools": tools, **(_MODERN_RESULT if self._modern else {})}
        if following:
            result["nextCursor"] = following
        return [
            *self._message(CLIENT_TO_SERVER, id=self._list_id, method="tools/list", **asked),
            *self._message(SERVER_TO_CLIENT, id=self._list_id, result=result),
        ]

    def _pages(self, pages: str, text: str | None) -> list[Item]:
        items: list[Item] = []
        for page in range(int(pages)):
            tools = [word if isinstance(word, dict) else _tool(word) for word in _words(text or f"a{page}")]
            items += self._list(tools, f"page {page}" if page else "", f"page {page + 1}")
        return items

    def _answer(self, key: str, size: str) -> list[Item]:
        content = [{"type": "text", "text": "x" * int(size)}]
        return self._message(SERVER_TO_CLIENT, id=int(key), result={"content": content})

    def _wait(self, seconds: str) -> list[Item]:
        self._t_us += int(float(seconds) * 1_000_000)
        return []

    def _end(self, stream: str) -> list[Item]:
        self._t_us += STEP_US
        channel = _STREAMS[stream]
        last = self._take_begun(channel)
        line: list[Item] = [self._line(channel, last, b"")] if last else []
        self._t_us -= STEP_US
        return [*line, *self._event("eof", ch=channel)]

    def _close(self) -> list[Item]:
        return self._event("eof", ch=CLIENT_TO_SERVER, why="receiver closed")

    def _blocked(self, stream: str, seconds: str) -> list[Item]:
        return self._event("blocked", ch=_STREAMS[stream], us=int(float(seconds) * 1_000_000))

    def _signal(self, name: str) -> list[Item]:
        return self._event("signal", signal=name, forwarded=True)

    def _exit(self, code: str) -> list[Item]:
        self._ended = True
        return self._event("exit", code=int(code), us=1_000_000)

    def _killed(self, name: str) -> list[Item]:
        self._ended = True
        return self._event("exit", signal=name, us=1_000_000)

    def _break_off(self) -> list[Item]:
        self._ended, self.state = True, State.CRASHED
        return []

    def _go_on(self) -> list[Item]:
        self._ended, self.state = True, State.LIVE
        return []


class StepsDecoder(Decoder):
    """Decodes the first session of a text, of which `lines` are the beginning. Raises StepError."""

    def __init__(self, lines: list[str]) -> None:
        first, *others = (index for index, line in enumerate(lines) if KNOWN.fullmatch(line))
        known = lines[first]
        self.evidence = evidence_of(known)
        if others:
            self.evidence = replace(self.evidence, assumptions=("the first of the sessions in it was meant",))
        session = lines[first : others[0] if others else None]
        self.header, self.lock = header_of(session), lock_of(session)
        self._indent = known[: -len(known.lstrip())]
        self._steps = Steps()
        self._sessions = 0

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The items of a step; a line that is none is damage."""
        line = raw.decode(errors="surrogateescape")
        if KNOWN.fullmatch(line):
            self._sessions += 1
        elif self._sessions == 1 and line.strip() and line.startswith(self._indent):
            try:
                yield from self._steps.feed(line.removeprefix(self._indent))
            except StepError as error:
                yield Damaged(number, raw, str(error))

    def finish(self) -> Iterator[Item]:
        """The usual end, if the session named none."""
        yield from self._steps.finish()
        self.state = self._steps.state

    def unfinished(self) -> list[Line]:
        """Lines whose end never came."""
        return self._steps.unfinished()


_STREAM, _SECONDS, _SIGNAL = "(stdin|stdout|stderr)", r"(\d{1,9}(?:\.\d{1,6})?) seconds?", r"(SIG\w+)"
_STEPS: tuple[tuple[re.Pattern[str], Callable[..., list[Item]]], ...] = tuple(
    (re.compile(rf"\* {pattern}"), make)
    for pattern, make in (
        (r"the launch: (\{.*\})", Steps._launch),
        (r"the lock: (\{.*\})", Steps._lock),
        ("the server starts", Steps._start),
        (r"a good handshake(?: in (\S+?))?(?:: (\{.*\}))?", Steps._handshake),
        (r"a good server/discover(?:: (\{.*\}))?", Steps._discover),
        (r"a good tools/list(?:: (.+))?", Steps._tools),
        (r"a good tools/list of (\S+), described in (\d{1,7}) characters", Steps._described),
        (r"(\d{1,3}) pages of tools/list, each with a cursor(?:: (.+))?", Steps._pages),
        (r"a good answer to (\d{1,18}), of (\d{1,8}) bytes", Steps._answer),
        (rf"{_SECONDS} pass(?:es)?", Steps._wait),
        (rf"{_STREAM} ends", Steps._end),
        ("stdin is closed by the server", Steps._close),
        (rf"{_STREAM} is blocked for {_SECONDS}", Steps._blocked),
        (rf"the tap receives {_SIGNAL}", Steps._signal),
        (r"the server exits with (\d{1,3})", Steps._exit),
        (rf"the server is killed by {_SIGNAL}", Steps._killed),
        ("the recording breaks off", Steps._break_off),
        ("the session goes on", Steps._go_on),
        (r"event (\w+)(?: (\{.*\}))?", Steps._any_event),
    )
)


_ESCAPE = re.compile(rb"\\(x[0-9a-fA-F]{2}|.|$)", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"\\": b"\\"}


def _unescaped(text: str) -> bytes:
    """The bytes that a text with escapes stands for. Raises StepError."""

    def byte(found: re.Match[bytes]) -> bytes:
        sign = found[1]
        if len(sign) == 3:
            return bytes.fromhex(sign[1:].decode())
        if sign not in _ESCAPED:
            raise StepError(rf"only \xHH, \n, \r, \t and \\ are escapes for bytes: {text}")
        return _ESCAPED[sign]

    return _ESCAPE.sub(byte, text.encode(errors="surrogateescape"))


def _tool(name: str) -> dict[str, Any]:
    return {"name": name, "description": f"Does {name}.", "inputSchema": {"type": "object"}}


def _words(text: str) -> list[Any]:
    """Words, and JSON objects with whatever spaces they hold. Raises StepError."""
    found: list[Any] = []
    text = text.strip()
    while text:
        if text.startswith("{"):
            try:
                value, end = json.JSONDecoder().raw_decode(text)
            except (ValueError, RecursionError) as error:
                raise StepError(f"this is no JSON object: {text}") from error
        else:
            value = text.split(None, 1)[0]
            end = len(value)
        found.append(value)
        text = text[end:].lstrip()
    return found


def _objects(text: str, *usual: dict[str, Any]) -> list[dict[str, Any]]:
    """The JSON objects of a text, and for those that are missing at its end the usual ones."""
    found = _words(text)
    if not all(isinstance(word, dict) for word in found):
        raise StepError(f"these are no JSON objects: {text}")
    return [*found, *usual[len(found) :]]


def recognise(beginning: Beginning) -> StepsDecoder | None:
    """A decoder if a line says what is known. Raises StepError."""
    lines = [line.decode(errors="surrogateescape") for line in beginning.lines]
    return StepsDecoder(lines) if any(map(KNOWN.fullmatch, lines)) else None


FORMAT = Format("what mcptap rules prints", Certainty.MARKED, recognise)
