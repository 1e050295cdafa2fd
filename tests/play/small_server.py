"""A plain server for tests of the probe, with one oddity at a time: `small_server.py [ODDITY…]`."""

import itertools
import json
import os
import signal
import sys
import time

oddities = set(sys.argv[1:])
if "deaf" in oddities:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
if "slow" in oddities:
    time.sleep(0.5)
if "floods" in oddities:
    for count in itertools.count():
        print("working", flush=True)
        if count > 2_000:  # by then it is a flood: the rest only has to go on
            time.sleep(0.01)
if "greets" in oddities:
    print("Server ready", flush=True)
if "needs-key" in oddities and "MY_API_KEY" not in os.environ:
    sys.exit("MY_API_KEY is required")
if "needs-file" in oddities:
    open("small_data.txt").close()


def write(message):
    print(json.dumps(message), flush=True)


META = {"io.modelcontextprotocol/serverInfo": {"name": "small", "version": "1"}}
STATELESS = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "_meta": META}


def answer_stateless(key, method, params):
    """A server of 2026-07-28 and nothing else."""
    if "io.modelcontextprotocol/protocolVersion" not in params.get("_meta", {}):
        error = {"code": -32602, "message": "_meta is required"}
        if method == "initialize":
            data = {"supported": ["2026-07-28"], "requested": params.get("protocolVersion")}
            error = {"code": -32022, "message": "Unsupported protocol version", "data": data}
        return write({"jsonrpc": "2.0", "id": key, "error": error})
    if params["_meta"]["io.modelcontextprotocol/protocolVersion"] != "2026-07-28":
        data = {"supported": ["2026-07-28"], "requested": "?"}
        error = {"code": -32022, "message": "Unsupported protocol version", "data": data}
        return write({"jsonrpc": "2.0", "id": key, "error": error})
    if method == "server/discover":
        result = {**STATELESS, "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}
    elif method == "tools/list":
        result = {
            **STATELESS,
            "tools": [{"name": "act", "description": "Acts.", "inputSchema": {"type": "object"}}],
        }
    else:
        code = -32602 if method == "tools/call" else -32601
        return write({"jsonrpc": "2.0", "id": key, "error": {"code": code, "message": "not known"}})
    return write({"jsonrpc": "2.0", "id": key, "result": result})


for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        if "dies-of-noise" in oddities:
            sys.exit(9)
        if "hangs-over-noise" in oddities:
            oddities.add("hangs")
        if "shouts-at-noise" in oddities:
            print("what was that?", flush=True)
        continue
    if not isinstance(message, dict):
        continue
    method, key = message.get("method"), message.get("id")
    if "id" not in message:
        if "answers-notifications" in oddities and method != "notifications/initialized":
            write({"jsonrpc": "2.0", "id": None, "error": {"code": -32601, "message": "Method not found"}})
    elif key is None or "hangs" in oddities:
        continue
    elif "stateless" in oddities:
        answer_stateless(key, method, message.get("params", {}))
    elif method == "initialize":
        if "silent" in oddities:
            continue
        capabilities = {} if "declares-nothing" in oddities else {"tools": {}}
        result = {"protocolVersion": "2025-06-18", "capabilities": capabilities}
        write(
            {
                "jsonrpc": "2.0",
                "id": key,
                "result": {**result, "serverInfo": {"name": "small", "version": "1"}},
            }
        )
        if "chatters" in oddities:
            print("connected", flush=True)
    elif method == "ping" and "deaf-to-ping" in oddities:
        continue
    elif method == "ping":
        write({"jsonrpc": "2.0", "id": key, "result": {}})
    elif method == "tools/list":
        tool = {"name": "act", "description": "Acts.", "inputSchema": {"type": "object"}}
        if "null-field" in oddities:
            tool["annotations"] = None
        write({"jsonrpc": "2.0", "id": key, "result": {"tools": [tool]}})
    else:
        write({"jsonrpc": "2.0", "id": key, "error": {"code": -32601, "message": "Method not found"}})
if "deaf" in oddities:
    while True:
        signal.pause()
