"""A small MCP server of both eras, with one fault if asked: the server of the samples in recordings/.

python3 server.py [--settings FILE] [FAULT]
"""

import json
import sys

arguments = sys.argv[1:]
if arguments[:1] == ["--settings"]:
    with open(arguments[1], encoding="utf-8") as file:
        json.load(file)
    arguments = arguments[2:]
fault = arguments[0] if arguments else ""

CAPABILITIES = {} if fault == "no-capabilities" else {"tools": {}}
SERVER = {"name": "weather", "version": "1.2.0"}
FORECAST = {
    "name": "forecast",
    "description": "The forecast for a city for the next days.",
    "inputSchema": {
        "type": "object",
        "properties": {"city": {"type": "string", "description": "A city"}, "days": {"type": "integer"}},
        "required": ["city"],
    },
}


def send(message):
    print(json.dumps(message, ensure_ascii=False), flush=True)


def text(words, is_error=False):
    result = {"content": [{"type": "text", "text": words}]}
    return {**result, "isError": True} if is_error else result


def call(params):
    arguments = params.get("arguments", {})
    if fault == "crash":
        raise RuntimeError("no such station: " + arguments.get("city", "?"))
    if fault == "polluted":
        print("fetching " + arguments.get("city", "?") + "... ", end="")
    if "city" not in arguments:
        return text("Say which city.", is_error=True)
    return text(f"{arguments['city']}: 21 °C, light wind, no rain before Thursday.")


def handshake_answer(method, params):
    if method == "initialize":
        version = params["protocolVersion"]
        return {"protocolVersion": version, "capabilities": CAPABILITIES, "serverInfo": SERVER}
    if method == "tools/list":
        return {"tools": [FORECAST]}
    return call(params) if method == "tools/call" else None


def stateless_answer(method, params):
    about = {"resultType": "complete", "_meta": {"io.modelcontextprotocol/serverInfo": SERVER}}
    fresh = {"ttlMs": 60000, "cacheScope": "private"}
    if method == "server/discover":
        return {"supportedVersions": ["2026-07-28"], "capabilities": CAPABILITIES, **fresh, **about}
    if method == "tools/list":
        return {"tools": [FORECAST], **fresh, **about}
    return {**call(params), **about} if method == "tools/call" else None


if fault == "polluted":
    print("weather 1.2.0 ready, 1 tool", flush=True)
print("INFO weather: listening on stdio", file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    params = message.get("params", {})
    stateless = "io.modelcontextprotocol/protocolVersion" in params.get("_meta", {})
    result = (stateless_answer if stateless else handshake_answer)(message["method"], params)
    if result is None:
        send(
            {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "Method not found"}}
        )
    else:
        send({"jsonrpc": "2.0", "id": message["id"], "result": result})
