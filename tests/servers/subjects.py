"""Small servers that each teach one lesson: `subjects.py KIND`.

log FILE     each tool appends its name to FILE when it is called, whatever its arguments are
contract     read-only tools on two pages, and one that waits until it is cancelled
answers      the same, but what is cancelled is answered all the same
folder       lists its tools only where notes.txt is, and says nothing where it is not
empty        works, and declares nothing
scales       spells a scale; with the word `print` it says so on stdout
stateless    before one of these: the server speaks 2026-07-28 alone; `both`: beside the handshake
"""

import json
import os
import sys

words = sys.argv[1:]
ERA = words.pop(0) if words[0] in ("stateless", "both", "handshake") else "handshake"
KIND, *REST = words
READS = {"readOnlyHint": True}
PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
NOTHING = {"type": "object"}
TOOLS = {
    "log": [
        {"name": "delete_all", "description": "Deletes all.", "inputSchema": PATH},
        {"name": "send_mail", "description": "Sends it.", "inputSchema": NOTHING},
        {
            "name": "peek",
            "description": "Says that it only reads.",
            "inputSchema": NOTHING,
            "annotations": READS,
        },
    ],
    "contract": [
        {
            "name": "today",
            "description": "Tells the day.",
            "inputSchema": NOTHING,
            "annotations": READS,
        },
        {
            "name": "wait",
            "description": "Waits to be cancelled.",
            "inputSchema": NOTHING,
            "annotations": {"readOnlyHint": False},
        },
    ],
}
TOOLS["answers"] = TOOLS["contract"]
TOOLS["folder"] = TOOLS["contract"][:1] if os.path.exists("notes.txt") else []
TOOLS["empty"] = TOOLS["contract"][:1]
TOOLS["scales"] = [{"name": "scale_notes", "description": "Spells a scale.", "inputSchema": NOTHING}]
OFFERS = {} if KIND == "empty" else {"tools": {}, "resources": {}, "prompts": {}}
REVISION = "io.modelcontextprotocol/protocolVersion"
INFO = {"name": "subject", "version": "1"}


def write(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def refuse(key, code, message):
    write({"id": key, "error": {"code": code, "message": message}})


def act(name):
    """What may not happen unasked."""
    if KIND == "log":
        with open(REST[0], "a") as file:
            file.write(f"{name}\n")


def result_of(method, params, stateless):
    """The result; an integer is the code of an error, None no answer."""
    if method == "initialize" and not stateless:
        return {"protocolVersion": "2025-06-18", "capabilities": OFFERS, "serverInfo": INFO}
    if method == "server/discover" and stateless:
        return {"supportedVersions": ["2026-07-28"], "capabilities": OFFERS}
    if method == "ping" and not stateless:
        return {}
    if method == "tools/list":
        tools, at = TOOLS[KIND], int(params.get("cursor", 0))
        page = {"tools": tools[at : at + 1]}
        return {**page, "nextCursor": str(at + 1)} if at + 1 < len(tools) else page
    if method == "resources/list":
        return {"resources": [{"uri": "note://a", "name": "a"}]}
    if method == "resources/templates/list":
        return {"resourceTemplates": []}
    if method == "prompts/list":
        return {"prompts": [{"name": "greet"}]}
    if method in ("resources/read", "prompts/get", "completion/complete", "logging/setLevel"):
        act(method)
        return {}
    if method != "tools/call":
        return -32601
    if params.get("name") not in [tool["name"] for tool in TOOLS[KIND]]:
        return -32602
    act(params["name"])
    if REST == ["print"]:
        print("Spelling F major", flush=True)
    if params["name"] == "wait":
        return None
    return {"content": [{"type": "text", "text": "done"}]}


for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        if line.strip():
            refuse(None, -32700, "Parse error")
        continue
    if not isinstance(message, dict) or message.get("id", 0) is None:
        refuse(None, -32600, "Invalid Request")
        continue
    method, params = message.get("method"), message.get("params") or {}
    if "id" not in message:
        if method == "notifications/cancelled" and KIND == "answers":
            write({"id": params["requestId"], "result": {"content": []}})
        continue
    meta = params.get("_meta", {})
    stateless = ERA == "stateless" or (ERA == "both" and REVISION in meta)
    if stateless and meta.get(REVISION) != "2026-07-28":
        refuse(message["id"], -32022 if REVISION in meta or method == "initialize" else -32602, "no")
        continue
    result = result_of(method, params, stateless)
    if isinstance(result, int):
        refuse(message["id"], result, "refused")
    elif result is not None:
        if stateless:
            result = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", **result}
        write({"id": message["id"], "result": result})
