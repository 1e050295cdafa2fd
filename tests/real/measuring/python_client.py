"""Clients of Python libraries: `python_client.py LIBRARY`; jobs as JSON on stdin, a line for each on stdout.

LIBRARY is `mcp1`, `mcp2` or `fastmcp`; it runs in an environment that has it. A job is
`{"case": …, "command": [...], "limit_s": …}`; the lines are those of `clients.Seen`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from datetime import timedelta

AT_ONCE = 4


def text_of(error: BaseException) -> str:
    """An exception in words, the innermost of a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"[:300]


async def play(library: str, job: dict, seen: dict) -> None:
    command, limit_s = job["command"], job["limit_s"]

    async def handle(message: object) -> None:
        if isinstance(message, Exception):
            seen["reported"] += 1
        elif "ListChanged" in type(getattr(message, "root", message)).__name__:
            seen["list_changed"] += 1

    if library == "mcp1":
        from mcp import ClientSession, StdioServerParameters
        from mcp.client.stdio import stdio_client

        parameters = StdioServerParameters(command=command[0], args=command[1:])
        async with (
            stdio_client(parameters, errlog=sys.stderr) as streams,
            ClientSession(*streams, timedelta(seconds=limit_s), message_handler=handle) as it,
        ):
            await it.initialize()
            await ask(it.list_tools, it.send_ping, seen)
    elif library == "mcp2":
        from mcp import Client, StdioServerParameters

        parameters = StdioServerParameters(command=command[0], args=command[1:])
        mode = job.get("mode", "auto")
        async with Client(parameters, read_timeout_seconds=limit_s, message_handler=handle, mode=mode) as it:
            await ask(it.list_tools, it.send_ping, seen)
    else:
        from fastmcp import Client
        from fastmcp.client.transports import StdioTransport

        transport = StdioTransport(command[0], command[1:], keep_alive=False)
        async with Client(transport, timeout=limit_s, init_timeout=30, message_handler=handle) as it:
            await ask(it.list_tools, it.ping, seen)


async def ask(list_tools, ping, seen: dict) -> None:
    seen["opened"] = True
    try:
        tools = await list_tools()
        seen["tools"] = len(getattr(tools, "tools", tools))
    except Exception as error:
        seen["list_error"] = text_of(error)
    try:
        await ping()
        seen["goes_on"] = True
    except Exception as error:
        seen["goes_on"] = False
        seen["ping_error"] = text_of(error)


async def one(library: str, job: dict, gate: asyncio.Semaphore) -> None:
    seen = {"case": job["case"], "opened": False, "tools": None, "reported": 0, "list_changed": 0}
    async with gate:
        began = time.monotonic()
        try:
            async with asyncio.timeout(4 * job["limit_s"] + 20):
                await play(library, job, seen)
        except BaseException as error:
            seen["error"] = text_of(error)
        seen["took_s"] = round(time.monotonic() - began, 1)
    print(json.dumps(seen), flush=True)


async def main(library: str) -> None:
    jobs = json.load(sys.stdin)
    gate = asyncio.Semaphore(AT_ONCE)
    await asyncio.gather(*(one(library, job, gate) for job in jobs))


logging.disable(logging.CRITICAL)
asyncio.run(main(sys.argv[1]))
