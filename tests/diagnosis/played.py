"""Plays the examples of the catalogue: their lines become a recording, which is judged."""

import json
import shlex
from pathlib import Path
from typing import Any

from mcptap.diagnosis.engine.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Finding
from mcptap.recording.reader import Reader, State
from tests.helpers import END, SPAWN, Step, Tape, notification, request, result, text_result

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "agent", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
SERVER = {"name": "scales", "version": "1"}
ARROWS = {"-->": "c2s", "<--": "s2c", "err": "stderr"}
ESCAPED = {"-~>": "c2s", "<~-": "s2c"}


def judge(lines: tuple[str, ...], path: Path) -> list[Finding]:
    """The findings of a session that is written as in `mcptap.diagnosis.examples`."""
    header: dict[str, Any] = {}
    for line in lines:
        if line.startswith("@launch "):
            header.update(json.loads(line.removeprefix("@launch ")))
    with Tape(path, **header) as tape:
        player = Player()
        for line in lines:
            tape.play(player.steps(line))
        if not player.ended:
            tape.play(END)
    with Reader(tape.path) as reader:
        diagnosis = Diagnosis(reader.header)
        for item in reader.items():
            diagnosis.feed(item)
        return diagnosis.finish(State.LIVE if player.live else reader.state(), reader.unfinished())


class Player:
    """Turns lines into steps."""

    def __init__(self) -> None:
        self.ended = False
        self.live = False
        self._id = 9000
        self._modern = False

    def steps(self, line: str) -> list[Step]:
        word, _, rest = line.partition(" ")
        if word in ARROWS:
            return [(ARROWS[word], rest.encode() + b"\n")]
        if word in ESCAPED:
            return [(ESCAPED[word], rest.encode().decode("unicode_escape").encode("latin-1"))]
        make = getattr(self, f"_{word.removeprefix('@')}")
        steps: list[Step] = make(rest)
        return steps

    def _launch(self, rest: str) -> list[Step]:
        return []

    def _spawn(self, rest: str) -> list[Step]:
        return [SPAWN]

    def _handshake(self, rest: str) -> list[Step]:
        revision, *declared = values(rest)
        revision = revision or "2025-11-25"
        server = declared[0] if declared else {"tools": {}}
        client = declared[1] if len(declared) > 1 else {}
        asked = {
            "protocolVersion": revision,
            "capabilities": client,
            "clientInfo": {"name": "agent", "version": "1"},
        }
        answer = {"protocolVersion": revision, "capabilities": server, "serverInfo": SERVER}
        return [
            SPAWN,
            ("c2s", request("init", "initialize", asked)),
            ("s2c", result("init", answer)),
            ("c2s", notification("notifications/initialized")),
        ]

    def _discover(self, rest: str) -> list[Step]:
        self._modern = True
        _, *declared = values(f"- {rest}")
        answer = {
            "supportedVersions": ["2026-07-28"],
            "capabilities": declared[0] if declared else {"tools": {}},
            "resultType": "complete",
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": {"io.modelcontextprotocol/serverInfo": SERVER},
        }
        return [
            SPAWN,
            ("c2s", request("discover", "server/discover", {"_meta": META})),
            ("s2c", result("discover", answer)),
        ]

    def _tools(self, rest: str) -> list[Step]:
        self._id += 1
        tools = []
        for word in split(rest):
            described = {"name": word, "description": f"Does {word}.", "inputSchema": {"type": "object"}}
            tools.append(json.loads(word) if word.startswith("{") else described)
        value: dict[str, Any] = {"tools": tools}
        params = None
        if self._modern:
            params = {"_meta": META}
            value.update(resultType="complete", ttlMs=0, cacheScope="private")
            value["_meta"] = {"io.modelcontextprotocol/serverInfo": SERVER}
        return [("c2s", request(self._id, "tools/list", params)), ("s2c", result(self._id, value))]

    def _described(self, rest: str) -> list[Step]:
        name, length = rest.split()
        tool = {"name": name, "description": "d" * int(length), "inputSchema": {"type": "object"}}
        return self._tools(json.dumps(tool))

    def _large(self, rest: str) -> list[Step]:
        key, size = rest.split()
        return [("s2c", text_result(int(key), "x" * int(size)))]

    def _wait(self, rest: str) -> list[Step]:
        return [("wait", int(float(rest) * 1_000_000))]

    def _eof(self, rest: str) -> list[Step]:
        return [("end", rest)]

    def _exit(self, rest: str) -> list[Step]:
        self.ended = True
        return [("exit", {"code": int(rest), "us": 1_000_000})]

    def _kill(self, rest: str) -> list[Step]:
        self.ended = True
        return [("exit", {"signal": rest, "us": 1_000_000})]

    def _signal(self, rest: str) -> list[Step]:
        return [("signal", {"signal": rest, "forwarded": True})]

    def _blocked(self, rest: str) -> list[Step]:
        channel, seconds = shlex.split(rest)
        return [("blocked", {"ch": channel, "us": int(float(seconds) * 1_000_000)})]

    def _crashed(self, rest: str) -> list[Step]:
        self.ended = True
        return []

    def _live(self, rest: str) -> list[Step]:
        self.ended = self.live = True
        return []


def split(text: str) -> list[str]:
    """Words, and JSON objects with whatever spaces they hold."""
    words, decoder = [], json.JSONDecoder()
    text = text.strip()
    while text:
        if text.startswith("{"):
            _, end = decoder.raw_decode(text)
        else:
            end = len(text.split(None, 1)[0])
        words.append(text[:end])
        text = text[end:].lstrip()
    return words


def values(text: str) -> list[Any]:
    """The words of a line; those that are objects as objects. The first is never one."""
    words = split(text)
    if not words or words[0].startswith("{"):
        words = ["", *words]
    return [json.loads(word) if word.startswith("{") else word for word in words]
