"""MCP Inspector."""

from __future__ import annotations

from mcptap.clients.client import Client
from mcptap.clients.facts import Fact, Origin, Source
from mcptap.clients.libraries.typescript import TYPESCRIPT_1, TYPESCRIPT_2

CLIENTS = (
    Client(
        "inspector",
        "MCP Inspector",
        names=r"^(?:mcp[- ])?inspector\b",
        libraries=Fact(
            (TYPESCRIPT_1, TYPESCRIPT_2),
            Source(
                Origin.SOURCE_TEXT,
                "modelcontextprotocol/inspector: cli/package.json, clients/cli/package.json",
                "November 2026",
            ),
            "2.x since its own version 2",
        ),
    ),
)
