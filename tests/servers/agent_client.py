"""The official Python clients at `mcptap mcp`: `agent_client.py 1|auto|legacy COMMAND…`, answers as JSON."""

import asyncio
import json
import os
import sys
from typing import Any

from mcp import StdioServerParameters

CALLS = (
    ("mcptap_sessions", {}),
    ("mcptap_why", {"session": "weather"}),
    ("mcptap_calls", {"session": "weather"}),
    ("mcptap_record", {"session": "weather", "record": 3}),
    ("mcptap_compare", {"before": "weather", "after": "weather"}),
    ("mcptap_why", {"session": "wether"}),
)


async def ask(client: Any) -> None:
    results = [await client.list_tools(), *[await client.call_tool(name, given) for name, given in CALLS]]
    try:
        await client.call_tool("no_such_tool", {})
        refused = ""
    except Exception as error:
        refused = str(error)
    print(json.dumps([*(json.loads(result.model_dump_json()) for result in results), refused]))


async def main(mode: str, command: list[str]) -> None:
    parameters = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    if mode == "1":
        from mcp import ClientSession
        from mcp.client.stdio import stdio_client

        async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
            await session.initialize()
            await session.send_ping()
            await ask(session)
    else:
        from mcp import Client

        async with Client(parameters, mode=mode) as client:
            await ask(client)


asyncio.run(main(sys.argv[1], sys.argv[2:]))
