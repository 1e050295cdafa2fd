"""Sessions and locks for the tests of contracts."""

from __future__ import annotations

import json
from typing import Any

from mcptap.captures.formats.steps import Steps, header_of
from mcptap.protocol.contract.lock import Lock
from mcptap.protocol.model.session import Session


def tool(name: str, description: str = "", **members: Any) -> dict[str, Any]:
    return {
        "name": name,
        "description": description or f"Does {name}.",
        "inputSchema": {"type": "object"},
        **members,
    }


def session(*steps: str, lock: Lock | None = None) -> Session:
    """A session of steps, which keeps what is offered."""
    made = Session(header_of(steps), lock=lock or Lock())
    played = Steps()
    for step in steps:
        for item in played.feed(step):
            made.feed(item)
    return made


def offering(
    *tools: dict[str, Any], client: str = "{}", lock: Lock | None = None, launch: str = "{}"
) -> Session:
    """A session in which these tools were listed."""
    return session(
        f"* the launch: {launch}",
        f'* a good handshake: {{"tools":{{}}}} {client}',
        "* a good tools/list: " + " ".join(map(json.dumps, tools)),
        lock=lock,
    )
