"""The official Python client of `mcp` 2.x: `sdk2_client.py MODE COMMAND…` (`auto` or `legacy`)."""

import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters


async def main(mode: str, command: list[str]) -> None:
    progress = []

    async def on_progress(*step: object) -> None:
        progress.append(step)

    parameters = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    async with Client(parameters, mode=mode) as client:
        results = [
            await client.list_tools(),
            await client.call_tool("add", {"a": 2, "b": 3}),
            await client.call_tool("shout", {"text": "grüße 🎉\nnext"}),
            await client.call_tool("shout", {"text": "x" * 300_000}),
            await client.call_tool("fail", {}),
            await client.call_tool("count", {"to": 3}, progress_callback=on_progress),
            await client.list_resource_templates(),
            await client.read_resource("note://one"),
            await client.get_prompt("greet", {"who": "Ann"}),
        ]
        results += await asyncio.gather(*[client.call_tool("add", {"a": n, "b": n}) for n in range(20)])
        about = [str(client.protocol_version), client.server_capabilities.model_dump(mode="json")]
    print(json.dumps([json.loads(result.model_dump_json()) for result in results] + [progress, about]))


asyncio.run(main(sys.argv[1], sys.argv[2:]))
