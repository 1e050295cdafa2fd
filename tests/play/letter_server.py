"""A server that follows JSON-RPC 2.0 and MCP 2025-06-18 to the letter, by hand and without an SDK."""

import json
import math
import sys

TOOLS = [
    {
        "name": "add",
        "description": "Adds two numbers.",
        "inputSchema": {
            "type": "object",
            "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
            "required": ["a", "b"],
            "additionalProperties": False,
        },
    },
    {
        "name": "wait",
        "description": "Waits until it is cancelled.",
        "inputSchema": {"type": "object", "properties": {}},
    },
]
RESOURCES = [{"uri": f"note://{n}", "name": n, "mimeType": "text/plain"} for n in ("c", "d", "e")]


def write(message):
    sys.stdout.buffer.write(json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
    sys.stdout.buffer.flush()


def refuse(key, code, text):
    write({"jsonrpc": "2.0", "id": key, "error": {"code": code, "message": text}})


def call(params):
    arguments = params.get("arguments", {})
    numbers = [arguments.get(name) for name in ("a", "b")]
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
            return {"content": [{"type": "text", "text": "Invalid arguments for add"}], "isError": True}
    if set(arguments) != {"a", "b"}:
        return {"content": [{"type": "text", "text": "Invalid arguments for add"}], "isError": True}
    return {"content": [{"type": "text", "text": str(sum(numbers))}]}


def answer(key, method, params):
    if method == "initialize":
        result = {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}, "resources": {}},
            "serverInfo": {"name": "letter", "version": "1.0"},
        }
    elif method == "ping":
        result = {}
    elif method == "tools/list":
        result = {"tools": TOOLS}
    elif method == "resources/list":
        at = int(params.get("cursor", "0"))
        result = {"resources": RESOURCES[at : at + 1]}
        if at + 1 < len(RESOURCES):
            result["nextCursor"] = str(at + 1)
    elif method == "resources/templates/list":
        result = {"resourceTemplates": []}
    elif method == "resources/read":
        if params.get("uri") not in [resource["uri"] for resource in RESOURCES]:
            return refuse(key, -32002, "Resource not found")
        result = {"contents": [{"uri": params["uri"], "mimeType": "text/plain", "text": params["uri"]}]}
    elif method == "tools/call" and params.get("name") == "wait":
        return None  # until it is cancelled, after which no answer may follow
    elif method == "tools/call":
        if params.get("name") != "add":
            return refuse(key, -32602, "Unknown tool")
        result = call(params)
    else:
        return refuse(key, -32601, "Method not found")
    return write({"jsonrpc": "2.0", "id": key, "result": result})


for line in sys.stdin.buffer:
    if not line.strip():
        continue
    try:
        message = json.loads(line)
    except ValueError:
        refuse(None, -32700, "Parse error")
        continue
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or "method" not in message:
        if not (isinstance(message, dict) and ("result" in message or "error" in message)):
            refuse(None, -32600, "Invalid Request")
    elif "id" not in message:
        pass
    elif message["id"] is None:
        refuse(None, -32600, "Invalid Request")
    else:
        answer(message["id"], message["method"], message.get("params") or {})
