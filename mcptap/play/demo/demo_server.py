"""A small MCP server with two ordinary mistakes in it, for `mcptap demo`.

It speaks revision 2025-11-25 and needs the standard library alone.
"""

import json
import sys

TOOLS = [
    {
        "name": name,
        "description": description,
        "inputSchema": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        },
    }
    for name, description in (
        ("forecast", "The weather of the next days in a city"),
        ("warnings", "Official weather warnings for a city"),
    )
]
PROMPTS = [{"name": "pack-my-bag", "description": "What to pack for a journey, by the weather"}]


def main() -> None:
    """Answer the client's requests until it closes our input."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            result = answer(message["method"], message.get("params", {}))
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **result}), flush=True)


def answer(method: str, params: dict) -> dict:  # type: ignore[type-arg]
    """The result of a request, or its error."""
    if method == "initialize":
        return {
            "result": {
                "protocolVersion": "2025-11-25",
                # Mistake 1: there are prompts as well, but nobody is told.
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "demo-weather", "version": "1.0.0"},
            }
        }
    if method == "tools/list":
        return {"result": {"tools": TOOLS}}
    if method == "prompts/list":
        return {"result": {"prompts": PROMPTS}}
    if method == "tools/call":
        text = call(params["name"], params["arguments"]["city"])
        return {"result": {"content": [{"type": "text", "text": text}]}}
    return {"error": {"code": -32601, "message": f"Method not found: {method}"}}


def call(tool: str, city: str) -> str:
    """What a tool says."""
    if tool == "warnings":
        return f"No warnings for {city}."
    # Mistake 2: stdout belongs to the protocol, and this has no newline either.
    print(f"fetching forecast for {city}... ", end="")
    return f"{city}: sunny, 21 degrees."


if __name__ == "__main__":
    main()
