"""The agent of `mcptap demo`: a client that does what agents do, and is told nothing when it goes wrong."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

import trio

SERVER = os.path.join(os.path.dirname(__file__), "demo_server.py")
TIMEOUT_S = 1.5
"""How long the agent waits for an answer. Real ones wait up to a minute or more."""

END_WAIT_S = 5.0
"""How long the server may take to leave once its input is closed."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something the agent did, and the result in words; None if it gave up waiting."""

    action: str
    result: str | None


async def play(command: Sequence[str], env: dict[str, str] | None = None) -> AsyncIterator[Step]:
    """Start the server's command, use it as an agent would, and give each step as it is done.

    Raises OSError if the command can't be started.
    """
    process = await trio.lowlevel.open_process(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # agents keep it from their users
        env=env,
    )
    try:
        agent = _Agent(process)
        async for step in _session(agent):
            yield step
        await agent.stop()
    finally:
        if process.returncode is None:
            process.kill()
            with trio.CancelScope(shield=True):
                await process.wait()


async def _session(agent: _Agent) -> AsyncIterator[Step]:
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "demo-agent", "version": "1.0.0"},
    }
    answer = await agent.request("initialize", hello)
    yield Step("connect", None if answer is None else f"connected to {answer['serverInfo']['name']}")
    if answer is None:
        return
    await agent.send({"method": "notifications/initialized"})
    for what in ("tools", "prompts"):
        answer = await agent.request(f"{what}/list")
        yield Step(f"list {what}", None if answer is None else _names(answer[what]))
    for tool in ("warnings", "forecast"):
        answer = await agent.request("tools/call", {"name": tool, "arguments": {"city": "Oslo"}})
        yield Step(f"call {tool}", None if answer is None else answer["content"][0]["text"])


def _names(items: list[dict[str, Any]]) -> str:
    return ", ".join(item["name"] for item in items)


class _Agent:
    """A client over the pipes of a process: asks one thing at a time."""

    def __init__(self, process: trio.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._input = process.stdin
        self._output = process.stdout
        self._held = b""
        self._asked = 0

    async def request(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any] | None:
        """Send a request and wait for its result; None if it does not come in time."""
        self._asked += 1
        number = self._asked
        await self.send({"id": number, "method": method, **({"params": params} if params else {})})
        with trio.move_on_after(TIMEOUT_S):
            while (line := await self._line()) is not None:
                message = _message(line)
                if message.get("id") == number and "result" in message:
                    result: dict[str, Any] = message["result"]
                    return result
        await self.send(
            {"method": "notifications/cancelled", "params": {"requestId": number, "reason": "timeout"}}
        )
        return None

    async def send(self, message: dict[str, Any]) -> None:
        """Send one message; a server that is gone already is no matter."""
        try:
            await self._input.send_all(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        except trio.BrokenResourceError:
            pass

    async def stop(self) -> None:
        """Close the server's input and give it time to end."""
        await self._input.aclose()
        with trio.move_on_after(END_WAIT_S):
            await self._process.wait()

    async def _line(self) -> bytes | None:
        while b"\n" not in self._held:
            chunk = await self._output.receive_some()
            if not chunk:
                return None
            self._held += chunk
        line, _, self._held = self._held.partition(b"\n")
        return line


def _message(line: bytes) -> dict[str, Any]:
    """A message; what is none is dropped without a word, as clients do."""
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}
