"""Which client is at the other end: from its `clientInfo`, and from the process that started the tap."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from mcptap.protocol.model.session import Session


@dataclass(frozen=True, slots=True)
class Client:
    """The client of a session, as far as it can be told.

    `name` and `version` are for people. `family` is what the table of consequences calls it, and
    `built_on` are the SDK families that its kind of client may be built on; both empty if unknown.
    """

    name: str = ""
    version: str = ""
    family: str = ""
    built_on: tuple[str, ...] = ()
    runs_on: str = ""
    """The interpreter that it runs on, if that is all that speaks for `built_on`."""


TYPESCRIPT = ("ts1", "ts2")
PYTHON = ("py1", "py2")

# What clientInfo.name or a process may be called, the name for people, family, SDKs.
_KNOWN: tuple[tuple[re.Pattern[str], str, str, tuple[str, ...]], ...] = tuple(
    (re.compile(pattern, re.I), name, family, built_on)
    for pattern, name, family, built_on in (
        (r"claude-code|claude code|^claude$", "Claude Code", "claude-code", ()),
        (r"claude-ai|claude[ -]desktop|^claude\.exe$", "Claude Desktop", "claude-desktop", ()),
        (r"^codex", "Codex", "codex", ("rust",)),
        (r"^goose", "Goose", "goose", ("rust",)),
        (r"gemini-cli", "Gemini CLI", "gemini", TYPESCRIPT),
        (r"^opencode", "opencode", "opencode", ()),
        (r"^cline", "Cline", "cline", TYPESCRIPT),
        (r"^roo", "Roo Code", "roo", TYPESCRIPT),
        (r"^cursor", "Cursor", "cursor", ()),
        (r"visual studio code|^code$|^code-insiders$|^vscode", "VS Code", "vscode", ()),
        (r"^windsurf", "Windsurf", "windsurf", ()),
        (r"^zed", "Zed", "zed", ()),
        (r"^continue", "Continue", "continue", TYPESCRIPT),
        (r"^copilot|github-copilot", "GitHub Copilot CLI", "copilot", ()),
        (r"inspector", "MCP Inspector", "inspector", TYPESCRIPT),
    )
)
_PYTHON_PROCESS = re.compile(r"^(?:python[\d.]*|pypy[\d.]*|uv|uvx)(?:\.exe)?$", re.I)
_NODE_PROCESS = re.compile(r"^(?:node|bun|deno|npx)(?:\.exe)?$", re.I)


def recognise(session: Session) -> Client:
    """The client of a session. A name that is not known stays as the client gave it."""
    info = session.client.info
    name, version = _text(info.get("name")), _text(info.get("version"))
    parent = session.header.parent if session.header is not None else {}
    process = re.split(r"[\\/]", _text(parent.get("name")))[-1]
    for pattern, known, family, built_on in _KNOWN:
        if name and pattern.search(name):
            return Client(known, version, family, built_on)
    if name == "mcp" and version.startswith("0."):
        # The Python SDK calls itself so unless told otherwise; only 2.x probes with server/discover.
        family = "py2" if session.stateless.discover is not None else ""
        return Client("the Python SDK", "", family, PYTHON)
    if not name:
        for pattern, known, family, built_on in _KNOWN:
            if process and pattern.search(process):
                return Client(known, "", family, built_on)
    if _PYTHON_PROCESS.match(process):
        return Client(name, version, "", PYTHON, "Python")
    if _NODE_PROCESS.match(process):
        return Client(name, version, "", TYPESCRIPT, "Node")
    return Client(name, version)


def _text(value: Any) -> str:
    return value[:80] if isinstance(value, str) else ""
