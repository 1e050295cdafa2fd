"""The official Python client of `mcp` 1.x: start the server of the arguments, ask, print the results."""

import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main(command: list[str]) -> None:
    progress = []

    async def on_progress(*step: object) -> None:
        progress.append(step)

    parameters = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        results = [
            await session.initialize(),
            await session.list_tools(),
            await session.call_tool("add", {"a": 2, "b": 3}),
            await session.call_tool("shout", {"text": "grüße 🎉\nnext"}),
            await session.call_tool("shout", {"text": "x" * 300_000}),
            await session.call_tool("fail", {}),
            await session.call_tool("count", {"to": 3}, progress_callback=on_progress),
            await session.list_resource_templates(),
            await session.read_resource("note://one"),
            await session.get_prompt("greet", {"who": "Ann"}),
            await session.send_ping(),
        ]
        results += await asyncio.gather(*[session.call_tool("add", {"a": n, "b": n}) for n in range(20)])
    print(json.dumps([json.loads(result.model_dump_json()) for result in results] + [progress]))


asyncio.run(main(sys.argv[1:]))
