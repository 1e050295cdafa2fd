"""MCP Inspector."""

from __future__ import annotations

from mcptap.clients.client import Client, Opening, outcomes
from mcptap.clients.facts import Fact, Origin, Source
from mcptap.clients.faults import Fault
from mcptap.clients.libraries.typescript import TYPESCRIPT_2
from mcptap.clients.outcomes import Outcome

_RUN = Source(Origin.RUN, "run of 2.12.0: mcp-inspector --cli --method tools/list", "2.12.0")

CLIENTS = (
    Client(
        "inspector",
        "MCP Inspector",
        "2.12.0",
        names=r"^(?:mcp[- ])?inspector\b",
        libraries=Fact(
            (TYPESCRIPT_2,),
            Source(
                Origin.SOURCE_TEXT,
                "modelcontextprotocol/inspector: cli/package.json, clients/cli/package.json",
                "November 2026",
            ),
            "before its own version 2 the TypeScript SDK 1.x",
        ),
        opening=Fact(
            Opening(
                "2025-11-25",
                capabilities={
                    "roots": {"listChanged": True},
                    "extensions": {"io.modelcontextprotocol/tasks": {}, "io.modelcontextprotocol/skills": {}},
                },
                takes=("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"),
            ),
            _RUN,
        ),
        reactions={
            **outcomes(
                _RUN,
                {
                    Fault.UNDECLARED_TOOLS: Outcome.NEVER_ASKS,
                    Fault.CAPABILITY_NULL: Outcome.FAILS_TO_INITIALIZE,
                    Fault.CAPABILITY_SHAPE: Outcome.FAILS_TO_INITIALIZE,
                    Fault.STATELESS_HANDSHAKE: Outcome.FAILS_TO_INITIALIZE,
                    Fault.UNKNOWN_REVISION: Outcome.FAILS_TO_INITIALIZE,
                    Fault.NO_INPUT_SCHEMA: Outcome.DROPS_TOOLS,
                    Fault.INPUT_SCHEMA: Outcome.DROPS_TOOLS,
                    Fault.CURSOR_LOOP: Outcome.KEEPS_PAGES,
                    Fault.NOT_A_NUMBER: Outcome.WAITS,
                    Fault.ENDLESS_LIST: Outcome.LOSES_LIST,
                    Fault.OPENING_SHAPE: Outcome.FAILS_TO_INITIALIZE,
                    Fault.PAGE_ERROR: Outcome.LOSES_LIST,
                },
            ),
            Fault.NULL_FIELD: Fact(
                Outcome.DROPS_TOOLS, _RUN, "null in a field of the list itself costs the whole list"
            ),
            Fault.TOOLS_SHAPE: Fact(
                Outcome.DROPS_TOOLS, _RUN, "a result without a list of tools costs the whole list"
            ),
        },
    ),
)
