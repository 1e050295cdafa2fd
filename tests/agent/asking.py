"""Questions to the real `mcptap mcp`, and recordings for it to read."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from mcptap.agent.answers.calls import calls
from mcptap.agent.answers.compare import compare
from mcptap.agent.answers.record import record as record_answer
from mcptap.agent.answers.sessions import sessions
from mcptap.agent.answers.why import why
from mcptap.agent.arguments import Arguments
from mcptap.agent.judging import Judging
from mcptap.agent.pace import Pace
from mcptap.agent.settings import Settings
from mcptap.agent.shelf import Shelf
from mcptap.agent.tools import CALLS, COMPARE, RECORD, SESSIONS, WHY
from tests.helpers import END, Step, call, handshake, record, request, result, text_result
from tests.shim.running import MCPTAP, PATIENCE_S

TOOLS = {SESSIONS: sessions, WHY: why, CALLS: calls, RECORD: record_answer, COMPARE: compare}

INITIALIZE = request(
    0,
    "initialize",
    {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "asker", "version": "1"}},
)

GLUED: list[Step] = [
    *handshake(),
    ("c2s", request(1, "tools/list")),
    (
        "s2c",
        result(1, {"tools": [{"name": "forecast", "description": "d", "inputSchema": {"type": "object"}}]}),
    ),
    ("c2s", call(2, "forecast", {"city": "Oslo"})),
    ("s2c", b'fetching {"jsonrpc":"2.0","id":2,"result":{"content":[]}}\n'),
    ("wait", 5_000_000),
    *END,
]
"""A call whose answer no client can read."""

FINE: list[Step] = [
    *handshake(),
    ("c2s", request(1, "tools/list")),
    (
        "s2c",
        result(1, {"tools": [{"name": "forecast", "description": "d", "inputSchema": {"type": "object"}}]}),
    ),
    ("c2s", call(2, "forecast", {"city": "Oslo"})),
    ("wait", 20_000),
    ("s2c", text_result(2, "sunny")),
    ("c2s", call(3, "forecast", {"city": "Atlantis"})),
    ("s2c", text_result(3, "no such city\nsecond line", is_error=True)),
    *END,
]


def keep(folder: Path, server: str, steps: Iterable[Step], at: int = 1, **header: Any) -> Path:
    """A recording of this server where mcptap would have put it; `at`: the second of its start."""
    path = folder / server / f"20261129T2117{at:02}.000000Z-{4000 + at}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    return record(path, steps, name=server, **header)


def shelf(folder: Path, **settings: Any) -> Shelf:
    """What is in this folder, wherever it was started."""
    return Shelf(Settings(str(folder), **{"everything": True, **settings}))


def answer(folder: Path, tool: str, **arguments: Any) -> str:
    """The text that a tool gives. Raises ToolError."""
    made = TOOLS[tool](shelf(folder), Judging(), Arguments(tool, arguments), Pace())
    return made.text()


def talk(
    lines: Sequence[object], *options: str, cwd: Path | None = None, before: Sequence[str] = ()
) -> list[Any]:
    """What the real server says to these lines (objects, or bytes as they are), until its input ends."""
    sent = b"".join(
        line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode() + b"\n"
        for line in lines
    )
    run = subprocess.run(
        [*before, *MCPTAP, "mcp", *options],
        input=sent,
        capture_output=True,
        timeout=PATIENCE_S,
        cwd=cwd,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]
