"""A server for the tests of locks, started as `python server.py FILE`: FILE says what it offers, as JSON.

A tool with a member `for` is only offered to clients that declare that capability.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    offers = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    declared: dict[str, Any] = {}
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        if message["method"] == "initialize":
            declared = message["params"]["capabilities"]
            result = {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "sample", "version": offers.get("version", "1")},
                "instructions": offers.get("instructions", ""),
            }
        elif message["method"] == "tools/list":
            shown = [tool for tool in offers["tools"] if tool.get("for", "") in ("", *declared)]
            result = {"tools": [{k: v for k, v in tool.items() if k != "for"} for tool in shown]}
        elif message["method"] == "ping":
            result = {}
        else:
            error = {"code": -32601, "message": "Method not found"}
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}), flush=True)
            continue
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


main()
