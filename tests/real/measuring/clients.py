"""How each client is run against servers with a fault, and what it then shows and asks."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.real.measuring.cases import CASES, TOOLS
from tests.real.measuring.installed import Installed

HERE = Path(__file__).parent
SERVER = HERE / "faulty_server.py"
LIMIT_S = 12
"""How long a library waits for a response; programs have limits of their own."""
AT_ONCE = 12
"""So many servers stand in one configuration: a client starts them all at the same time."""
PATIENCE_S = 400

HAS_TOOLS, SOME_TOOLS, NO_TOOLS = "tools", "some tools", "no tools"
LIST_FAILS, LIST_HANGS = "list fails", "list hangs"
NOT_CONNECTED, OPENING_HANGS, CONNECTED = "not connected", "opening hangs", "connected"
OUTCOMES = (HAS_TOOLS, SOME_TOOLS, NO_TOOLS, LIST_FAILS, LIST_HANGS, NOT_CONNECTED, OPENING_HANGS, CONNECTED)
"""What the user of a client has in the end. `connected`: the client shows no more, and asked for no list."""

_HANGS = re.compile(r"timed?[ -]?out|deadline", re.I)


@dataclass
class Seen:
    """What a client did with one server."""

    outcome: str
    said: str = ""
    """What it shows of an error."""
    asked: list[str] = field(default_factory=list)
    """The methods that the server heard, in order."""
    goes_on: bool | None = None
    """Whether the session answers a ping afterwards (libraries only)."""
    list_changed: int = 0
    """How often the program was told of a changed list (libraries only)."""

    def as_json(self) -> dict[str, Any]:
        """What is kept of it."""
        kept = {"outcome": self.outcome, "asked": self.asked, "said": self.said}
        if self.goes_on is not None:
            kept |= {"goes_on": self.goes_on, "list_changed": self.list_changed}
        return kept


@dataclass
class Stage:
    """An empty home with servers in it, and their logs."""

    home: Path
    client: Installed

    def command(self, case: str) -> list[str]:
        """How the server of a case is started."""
        return [sys.executable, str(SERVER), case, str(self.log(case))]

    def log(self, case: str) -> Path:
        """What the server of a case heard."""
        return self.home / f"{case}.log"

    def heard(self, case: str) -> list[dict[str, Any]]:
        """The messages that all processes of this server heard."""
        log = self.log(case)
        records = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        return [json.loads(record["heard"]) for record in records if "heard" in record]

    def asked(self, case: str) -> list[str]:
        """The methods of what it heard; more than three times the same in a row is one with `…`."""
        methods = [message.get("method", "a response") for message in self.heard(case)]
        kept: list[str] = []
        for number, method in enumerate(methods):
            if methods[max(0, number - 3) : number] == [method] * 3:
                kept[-1] = f"{method}…"
            else:
                kept.append(method)
        return kept

    def write(self, path: str, content: Any) -> None:
        """A file of the home, as JSON or as it is."""
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content))

    def run(self, command: list[str], stdin: str = "") -> tuple[str, str]:
        """What a program says on stdout and stderr, in the empty home and without anybody's settings."""
        node = [os.path.dirname(self.client.node)] if self.client.node else []
        path = os.pathsep.join([*node, os.environ["PATH"]])
        (self.home / "work").mkdir(exist_ok=True)
        environment = {"HOME": str(self.home), "PATH": path, "TERM": "dumb", "NO_COLOR": "1"}
        done = subprocess.run(
            command,
            env=environment,
            cwd=self.home / "work",
            input=stdin,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        out, err = (re.sub(r"\x1b\[[\d;]*m", "", text) for text in (done.stdout, done.stderr))
        return out, err


def _module(client: Installed, path: str) -> str:
    return str(client.folder / "node_modules" / path)


def _having(tools: int) -> str:
    """The outcome, by how many tools there are in the end."""
    return NO_TOOLS if not tools else HAS_TOOLS if tools >= len(TOOLS) else SOME_TOOLS


def _fails(said: str) -> str:
    return LIST_HANGS if _HANGS.search(said) else LIST_FAILS


# --- programs ------------------------------------------------------------------------------------


def _claude_code(stage: Stage, cases: list[str]) -> dict[str, Seen]:
    servers = {case: _entry(stage, case) for case in cases}
    stage.write(".claude.json", {"mcpServers": servers})
    program = _module(stage.client, "@anthropic-ai/claude-code-linux-x64/claude")
    shown, _ = stage.run([program, "mcp", "list"])
    seen = {}
    for case in cases:
        line = next((each for each in shown.splitlines() if each.startswith(f"{case}: ")), "")
        said = line.rpartition(f"{case}.log - ")[2]
        why = said.partition("— ")[2]
        if "fetch failed" in said:
            outcome = _fails(why)
        elif "Connected" in said:
            outcome = HAS_TOOLS if "tools/list" in stage.asked(case) else NO_TOOLS
        else:
            outcome = OPENING_HANGS if _HANGS.search(why) else NOT_CONNECTED
        seen[case] = Seen(outcome, said)
    return seen


def _entry(stage: Stage, case: str) -> dict[str, Any]:
    program, *arguments = stage.command(case)
    return {"type": "stdio", "command": program, "args": arguments}


def _opencode(stage: Stage, cases: list[str]) -> dict[str, Seen]:
    servers = {case: {"type": "local", "command": stage.command(case), "enabled": True} for case in cases}
    stage.write(".config/opencode/opencode.json", {"mcp": servers})
    shown, _ = stage.run([_module(stage.client, ".bin/opencode"), "mcp", "list"])
    seen = {}
    for part in re.split(r"^●\s+", shown, flags=re.M)[1:]:
        found = re.match(r"\S+ (\S+) (\w+)\s+(.*)", part, re.S)
        assert found, part
        case, state, rest = found.groups()
        said = " ".join(rest.partition(stage.command(case)[0])[0].replace("│", " ").split())
        if state == "connected":
            outcome = HAS_TOOLS if "tools/list" in stage.asked(case) else NO_TOOLS
        elif "tools/list" in stage.asked(case):
            outcome = _fails(said)
        else:
            outcome = OPENING_HANGS if _HANGS.search(said) else NOT_CONNECTED
        seen[case] = Seen(outcome, f"{state}: {said}".removesuffix(": "))
    return seen


def _gemini(stage: Stage, cases: list[str]) -> dict[str, Seen]:
    servers = {case: _entry(stage, case) for case in cases}
    for entry in servers.values():
        del entry["type"]
    # Else it starts no server in a folder that it does not know.
    untrusted = {"folderTrust": {"enabled": False}}
    stage.write(".gemini/settings.json", {"mcpServers": servers, "security": untrusted})
    _, shown = stage.run([_module(stage.client, ".bin/gemini"), "mcp", "list"])
    seen = {}
    for case in cases:
        line = next((each for each in shown.splitlines() if re.match(rf"\S+ {case}: ", each)), "")
        said = line.rpartition(" - ")[2]
        seen[case] = Seen(CONNECTED if said == "Connected" else NOT_CONNECTED, said)
    return seen


def _codex(stage: Stage, cases: list[str]) -> dict[str, Seen]:
    """Its app server lists the tools of all servers that stand in its configuration."""
    entries = []
    for case in cases:
        program, *arguments = stage.command(case)
        limits = "startup_timeout_sec = 10\n"
        entries.append(
            f"[mcp_servers.{case}]\ncommand = {json.dumps(program)}\nargs = {json.dumps(arguments)}\n{limits}"
        )
    stage.write(".codex/config.toml", "\n".join(entries))
    requests = [
        {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "measured", "version": "1"}}},
        {"method": "initialized"},
        {"id": 2, "method": "mcpServerStatus/list", "params": {"limit": 1000}},
    ]
    listed = _ask_codex(stage, requests)
    seen = {}
    for case in cases:
        status = listed.get(case, {})
        tools, error = status.get("tools") or {}, status.get("toolsError") or ""
        opened = status.get("serverInfo") is not None
        error = error if isinstance(error, str) else json.dumps(error)
        if tools:
            outcome = _having(len(tools))
        elif error and opened:
            outcome = _fails(error)
        elif "notifications/initialized" in stage.asked(case):
            outcome = LIST_FAILS if error else NO_TOOLS
        else:
            outcome = NOT_CONNECTED
        seen[case] = Seen(outcome, error[:300])
    return seen


def _ask_codex(stage: Stage, requests: list[dict[str, Any]]) -> dict[str, Any]:
    environment = {"HOME": str(stage.home), "PATH": os.environ["PATH"]}
    with subprocess.Popen(
        [_module(stage.client, ".bin/codex"), "app-server"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        stop = threading.Timer(PATIENCE_S, process.kill)
        stop.start()
        try:
            process.stdin.write("".join(json.dumps(request) + "\n" for request in requests))
            process.stdin.flush()
            answers = (json.loads(line) for line in process.stdout if line.startswith("{"))
            answer = next(each for each in answers if each.get("id") == 2)
        finally:
            stop.cancel()
            process.kill()
    return {each["name"]: each for each in answer["result"]["data"]}


def _inspector(stage: Stage, cases: list[str]) -> dict[str, Seen]:
    def one(case: str) -> Seen:
        program = _module(stage.client, ".bin/mcp-inspector")
        try:
            shown, complaint = stage.run([program, "--cli", *stage.command(case), "--method", "tools/list"])
        except subprocess.TimeoutExpired:
            return Seen(LIST_HANGS if "tools/list" in stage.asked(case) else OPENING_HANGS)
        try:
            tools = json.loads(shown[shown.index("{") :])["tools"]
        except (ValueError, KeyError):
            return Seen(LIST_FAILS if "tools/list" in stage.asked(case) else NOT_CONNECTED, complaint[-300:])
        return Seen(_having(len(tools)))

    with ThreadPoolExecutor(4) as threads:
        return dict(zip(cases, threads.map(one, cases), strict=True))


# --- libraries -----------------------------------------------------------------------------------


def _library(driver: Callable[[Installed], list[str]], mode: str = "") -> Callable[..., dict[str, Seen]]:
    def run(stage: Stage, cases: list[str]) -> dict[str, Seen]:
        more = {"mode": mode} if mode else {}
        jobs = [{"case": case, "command": stage.command(case), "limit_s": LIMIT_S, **more} for case in cases]
        shown, _ = stage.run(driver(stage.client), json.dumps(jobs))
        told = [json.loads(line) for line in shown.splitlines() if line.startswith("{")]
        return {each["case"]: _of_library(each) for each in told}

    return run


def _of_library(told: dict[str, Any]) -> Seen:
    said = told.get("list_error") or told.get("error") or ""
    if not told["opened"]:
        outcome = OPENING_HANGS if _HANGS.search(said) else NOT_CONNECTED
    elif told["tools"] is None:
        outcome = _fails(said)
    else:
        outcome = _having(told["tools"])
    return Seen(outcome, said, goes_on=told.get("goes_on"), list_changed=told["list_changed"])


def _python(library: str) -> Callable[[Installed], list[str]]:
    return lambda client: [str(client.folder / "bin" / "python"), str(HERE / "python_client.py"), library]


def _typescript(major: str) -> Callable[[Installed], list[str]]:
    return lambda client: ["node", str(HERE / "typescript_client.mjs"), major, str(client.folder)]


DRIVERS: dict[str, Callable[[Stage, list[str]], dict[str, Seen]]] = {
    "python-sdk-1": _library(_python("mcp1")),
    "python-sdk-2": _library(_python("mcp2")),
    "fastmcp": _library(_python("fastmcp")),
    "typescript-sdk-1": _library(_typescript("1")),
    "typescript-sdk-2": _library(_typescript("2")),
    "claude-code": _claude_code,
    "opencode": _opencode,
    "gemini-cli": _gemini,
    "codex": _codex,
    "inspector": _inspector,
}
"""How each is run, by its id."""

LASTS = "mock-delayed-answer"
"""Longer than the limit that the libraries are given."""


def measure(client: Installed, cases: Iterable[str] = CASES) -> Iterator[tuple[str, Seen]]:
    """What a client does in each case, some at a time."""
    wanted = [case for case in cases if case != LASTS]
    for begin in range(0, len(wanted), AT_ONCE):
        some = wanted[begin : begin + AT_ONCE]
        with tempfile.TemporaryDirectory(prefix="mcptap-measure-", ignore_cleanup_errors=True) as home:
            stage = Stage(Path(home), client)
            seen = DRIVERS[client.id](stage, some)
            for case in some:
                result = seen.get(case, Seen("not shown"))
                result.asked = stage.asked(case)
                result.outcome = _hanging(result)
                result.said = result.said.replace(home, "~")[:200]
                yield case, result


def _hanging(seen: Seen) -> str:
    """The outcome; what a client cancels, or calls a time limit, did not fail at once."""
    if not _HANGS.search(seen.said) and "notifications/cancelled" not in seen.asked:
        return seen.outcome
    return {LIST_FAILS: LIST_HANGS, NOT_CONNECTED: OPENING_HANGS}.get(seen.outcome, seen.outcome)


def opening_of(client: Installed) -> dict[str, Any]:
    """The first requests that a client sends to a healthy server, without what is the server's."""
    with tempfile.TemporaryDirectory(prefix="mcptap-measure-", ignore_cleanup_errors=True) as home:
        stage = Stage(Path(home), client)
        DRIVERS[client.id](stage, ["healthy"])
        heard = stage.heard("healthy")
    discover = next((message for message in heard if message.get("method") == "server/discover"), None)
    initialize = next((message for message in heard if message.get("method") == "initialize"), None)
    opening: dict[str, Any] = {}
    if discover is not None:
        meta = discover["params"]["_meta"]
        opening["discover"] = {
            "id": discover["id"],
            "capabilities": meta["io.modelcontextprotocol/clientCapabilities"],
        }
    if initialize is not None:
        parameters = initialize["params"]
        opening["initialize"] = {
            "revision": parameters["protocolVersion"],
            "capabilities": parameters["capabilities"],
            "name": parameters["clientInfo"]["name"],
        }
    return opening
