"""A server with two tools, whose faults and fresh values are switched on by its environment.

    SCALES_PRINT=1      a print is planted in the tool
    SCALES_TITLE=text   the answer of the second tool
    SCALES_STUBBORN=1   it ignores the end of its input, and TERM
    SCALES_CRASH=1      the first call ends it with code 3
    SCALES_ASK=1        a call asks the client for its roots first

Cursors are new in every process.
"""

import json
import os
import signal
import sys
import time
import uuid

CURSOR = str(uuid.uuid4())
TOOLS = [
    {"name": "scale_notes", "description": "Spell a scale", "inputSchema": {"type": "object"}},
    {"name": "title", "description": "Name a scale", "inputSchema": {"type": "object"}},
]
META = {"io.modelcontextprotocol/serverInfo": {"name": "Scales", "version": "1.0"}}


def say(message):
    print(json.dumps(message, separators=(",", ":")), flush=True)


def call(params):
    if "SCALES_CRASH" in os.environ:
        sys.exit(3)
    if "SCALES_PRINT" in os.environ:
        print("Spelling F major", flush=True)
    if "SCALES_ASK" in os.environ:
        say({"jsonrpc": "2.0", "id": str(uuid.uuid4()), "method": "roots/list"})
        roots = json.loads(sys.stdin.readline())
        return {"content": [{"type": "text", "text": json.dumps(roots.get("result", "refused"))}]}
    if params["name"] == "title":
        return {"content": [{"type": "text", "text": os.environ.get("SCALES_TITLE", "F major")}]}
    if params["arguments"].get("root") != "F":
        return {"content": [{"type": "text", "text": "'H' is not a note"}], "isError": True}
    return {"content": [{"type": "text", "text": '["F","G","A"]'}]}


def answer(method, params):
    if method == "initialize":
        server = {"name": "Scales", "version": "1.0"}
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": server}
    if method == "server/discover":
        return {
            "supportedVersions": ["2026-07-28"],
            "capabilities": {"tools": {}},
            "ttlMs": 0,
            "cacheScope": "private",
        }
    if method == "tools/list" and "cursor" not in params:
        return {"tools": TOOLS[:1], "nextCursor": CURSOR}
    if method == "tools/list":
        return {"tools": TOOLS[1:]} if params["cursor"] == CURSOR else None
    return call(params) if method == "tools/call" else {}


if "SCALES_STUBBORN" in os.environ:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("scales is ready", file=sys.stderr, flush=True)
for line in iter(sys.stdin.readline, ""):
    try:
        request = json.loads(line)
    except ValueError:
        say({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}})
        continue
    if "id" not in request:
        continue
    result = answer(request["method"], request.get("params", {}))
    if "_meta" in request.get("params", {}) and result is not None:
        result = {**result, "resultType": "complete", "_meta": META}
    if result is None:
        say({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32602, "message": "Invalid cursor"}})
    else:
        say({"jsonrpc": "2.0", "id": request["id"], "result": result})
if "SCALES_STUBBORN" in os.environ:
    time.sleep(600)
