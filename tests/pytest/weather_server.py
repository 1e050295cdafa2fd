"""A server for tests of the plugin: each tool goes wrong in its own way, `forecast` in none."""

import json
import os
import signal
import sys

NAMES = ("forecast", "chatty", "stuck", "deaf", "fails", "dies", "asks", "announces")


def write(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def call(key, name, arguments):
    if name == "chatty":
        print("looking up the weather", flush=True)
    elif name == "stuck":
        signal.pause()
    elif name == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        with open(arguments["pid_file"], "w") as file:
            file.write(str(os.getpid()))
    elif name == "dies":
        sys.exit(3)
    elif name == "asks":
        write({"id": "q", "method": "roots/list"})
        text = json.dumps(json.loads(sys.stdin.readline()).get("result"))
        return write({"id": key, "result": {"content": [{"type": "text", "text": text}]}})
    elif name == "announces":
        message = {"level": "info", "data": "rain"}
        write({"method": "notifications/message", "params": message})
    text = f"rain in {arguments.get('city')}"
    result = {"content": [{"type": "text", "text": text}], "isError": name == "fails"}
    return write({"id": key, "result": result})


print("no database yet", file=sys.stderr, flush=True)
DEAF = False
for line in sys.stdin:
    message = json.loads(line)
    key, method, params = message.get("id"), message.get("method"), message.get("params") or {}
    if key is None:
        continue
    if method == "initialize":
        capabilities = {"tools": {}, "logging": {}}
        info = {"name": "weather", "version": "1"}
        result = {"protocolVersion": params["protocolVersion"], "capabilities": capabilities}
        write({"id": key, "result": {**result, "serverInfo": info}})
    elif method == "tools/list":
        page = int(params.get("cursor", 0))
        some = NAMES[page : page + 4]
        tools = [{"name": n, "description": "It.", "inputSchema": {"type": "object"}} for n in some]
        more = {"nextCursor": str(page + 4)} if page + 4 < len(NAMES) else {}
        write({"id": key, "result": {"tools": tools, **more}})
    elif method == "tools/call":
        DEAF = DEAF or params["name"] == "deaf"
        call(key, params["name"], params["arguments"])
    else:
        write({"id": key, "error": {"code": -32601, "message": "Method not found"}})
while DEAF:
    signal.pause()
