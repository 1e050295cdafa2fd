"""What clients do with each fault, as it was seen: fault by client family.

Seen means that the software was run with a server that has this one fault, or, where `SEEN_IN`
says so, that its source was read. What is not here is not known.
"""

from __future__ import annotations

SEEN_IN = {
    "ts1": "TypeScript SDK 1.32.2",
    "ts2": "TypeScript SDK 2.4.0",
    "py1": "Python SDK 1.30.0",
    "py2": "Python SDK 2.3.0",
    "csharp": "C# SDK 2.2.0 (source)",
    "rust": "Rust SDK (source)",
    "claude-code": "Claude Code 2.1.332",
    "claude-desktop": "Claude Desktop (documentation)",
    "codex": "Codex 0.171.0 (source)",
    "gemini": "Gemini CLI 0.61.0 (source)",
    "opencode": "opencode 1.18.33",
    "vscode": "VS Code (source)",
    "cline": "Cline (source)",
    "roo": "Roo Code (source)",
    "zed": "Zed (documentation)",
    "cursor": "Cursor (second hand)",
    "copilot": "GitHub Copilot CLI (documentation)",
}

SURVIVES = frozenset(
    {
        "accepts it",
        "asks all the same and gets the tools",
        "goes on without harm",
        "ignores it",
        "logs it and goes on",
        "matches it all the same",
        "passes it on as an exception and goes on",
        "reports it and goes on",
        "skips it without a word",
        "shows broken letters and goes on",
        "ignores it and notes it in its log",
        "notes 'Failed to parse message' in its output",
        "skips it without a word (until about 0.12x: failed the handshake)",
    }
)
"""What does no harm to the session."""

_HANG = "waits until its time limit"
_FOUR = "ts1 ts2 py1 py2"
_REJECTS = "rejects the whole tool list"

_ROWS: dict[str, tuple[tuple[str, str], ...]] = {
    "stdout-not-json": (
        ("ts1", "reports it and goes on"),
        ("ts2", "skips it without a word"),
        ("py1 py2", "passes it on as an exception and goes on"),
        ("csharp", "logs it and goes on"),
        ("rust", "skips it without a word"),
        ("claude-code", "ignores it and notes it in its log"),
        ("opencode", "ignores it"),
        ("codex", "skips it without a word (until about 0.12x: failed the handshake)"),
        ("gemini", "shows an error and marks the server as disconnected"),
        ("cline", "shows an error and disconnects (its CLI kills the server)"),
        ("roo", "shows an error and disconnects"),
        ("vscode", "notes 'Failed to parse message' in its output"),
    ),
    "stdout-glued": ((f"{_FOUR} csharp rust", _HANG),),
    "embedded-newline": ((f"{_FOUR} csharp rust", _HANG),),
    "utf8-bom": ((_FOUR, _HANG), ("rust", "goes on without harm")),
    "crlf": ((f"{_FOUR} csharp rust", "goes on without harm"),),
    "blank-line": (
        ("ts1", "reports it and goes on"),
        ("ts2 csharp rust", "skips it without a word"),
        ("py1 py2", "passes it on as an exception and goes on"),
    ),
    "batch-array": ((_FOUR, _HANG), ("csharp", "fails to parse it, and waits"), ("rust", "answers -32600, and waits")),
    "batch-b": ((_FOUR, _HANG), ("csharp", "fails to parse it, and waits"), ("rust", "answers -32600, and waits")),
    "response-null-member": (("ts1 ts2", _HANG), ("py1 py2 csharp", "accepts it")),
    "message-extra-member": (("ts1 ts2", _HANG), ("py1 py2 csharp rust", "accepts it")),
    "jsonrpc-version": ((f"{_FOUR} csharp", _HANG), ("rust", "answers -32600, and waits")),
    "response-id-type": ((_FOUR, "matches it all the same"), ("csharp", "never matches it, and waits")),
    "error-id-null": (
        ("ts1 ts2", "reports it and goes on"),
        ("py1", "passes it on as an exception and goes on"),
        ("py2", "ignores it"),
        ("csharp rust", "accepts it"),
    ),
    "response-unknown-id": (
        ("ts1 ts2", "reports it and goes on"),
        ("py1", "passes it on as an exception and goes on"),
        ("py2 csharp rust", "logs it and goes on"),
    ),
    "notification-unknown": ((f"{_FOUR} csharp rust", "ignores it"),),
    "invalid-utf8": (
        ("ts1 ts2 csharp", "shows broken letters and goes on"),
        ("py1 py2", "raises UnicodeDecodeError and ends the session"),
        ("rust", "fails to parse the line"),
    ),
    "line-too-long": (
        ("ts1 ts2", "closes the connection at 10 MiB"),
        ("py1 py2 csharp rust", "goes on without harm"),
        ("claude-code", "disconnects at 16 MiB without a line end"),
    ),
    "null-optional-field": (("ts1 ts2", "throws, and has no result"), ("py1 py2 csharp", "accepts it")),
    "input-schema-invalid": (
        ("ts1 ts2 py2", _REJECTS),
        ("py1", "rejects the whole tool list if the schema is absent, and accepts a wrong type"),
    ),
    "capability-shape": ((_FOUR, "fails to initialize"),),
    "capability-shape null": (("ts1 ts2", "fails to initialize"), ("py1 py2", "accepts it")),
    "initialize-version-stateless": (
        ("ts1", "throws and closes the connection"),
        ("ts2", "throws"),
        ("py1 py2", "raises RuntimeError"),
        ("csharp", "throws a version mismatch"),
    ),
    "version-mismatch": (
        ("ts1", "throws and closes the connection"),
        ("csharp", "throws a version mismatch"),
    ),
    "capability-undeclared-tools": (
        ("ts1 py1 py2 csharp", "asks all the same and gets the tools"),
        ("ts2", "returns an empty list without asking"),
    ),
    "capability-none": (
        ("ts1 py1 py2 csharp", "asks all the same and gets the tools"),
        ("ts2", "returns an empty list without asking"),
    ),
    "list-changed-unpromised": (("ts1 ts2", "attaches no handler, and keeps the old list"),),
    "cursor-loop": (("ts2", "stops after 64 pages"),),
    "request-unanswered": (
        ("ts1 ts2", "gives up after 60 s"),
        ("py1 py2 csharp", "waits for ever unless a limit was set"),
        ("claude-code", "waits for about 28 hours (30 minutes without progress), in the background after 2 minutes"),
        ("codex", "gives up after 300 s (older versions: 60 s)"),
        ("gemini", "gives up after 10 minutes"),
        ("cline roo zed", "gives up after 60 s"),
    ),
    "initialize-unanswered": (
        ("ts1 ts2 csharp", "gives up after 60 s"),
        ("py1 py2", "waits for ever unless a limit was set"),
        ("claude-code", "gives up after 30 s (MCP_TIMEOUT)"),
        ("codex", "gives up after 30 s (older versions: 10 s)"),
        ("gemini", "gives up after 10 minutes"),
        ("cline", "gives up after 60 s (its CLI: 3 s, then starts the server again)"),
        ("roo zed", "gives up after 60 s"),
    ),
    "stdout-not-flushed": (
        ("ts1 ts2", "gives up after 60 s"),
        ("py1 py2", "waits for ever unless a limit was set"),
    ),
    "discover-unanswered": (
        ("csharp", "waits 5 s at each start"),
        ("py2 rust", "waits 10 s at each start"),
        ("ts2", "waits 60 s at each start"),
        ("claude-code", "waits 3 s at each start"),
    ),
    "shutdown-slow": (
        ("ts1 ts2 py1 py2", "sends SIGTERM after 2 s and SIGKILL after 2 s more"),
        ("csharp", "kills it at once"),
        ("rust", "kills it after 3 s"),
        ("codex", "kills it after 3 s"),
        ("claude-code", "sends SIGINT, SIGTERM after 100 ms and SIGKILL after 500 ms"),
        ("vscode", "sends SIGTERM after 10 s"),
        ("opencode", "sends SIGTERM after 2 s and SIGKILL after 2 s more"),
    ),
    "server-crashed": (("claude-code", "marks it as failed and does not start it again (/mcp does)"),),
    "server-exited-early": (("claude-code", "marks it as failed and does not start it again (/mcp does)"),),
    "launch-unexpanded": (
        ("claude-code", "expands ${NAME} and ${NAME:-default}, never $NAME or ~; what is unset stays as text"),
        ("gemini", "expands $NAME and ${NAME}; what is unset stays as text"),
        ("cline roo", "expands only ${env:NAME}; what is unset stays as text"),
        ("codex", "expands nothing"),
    ),
    "launch-cwd": (
        ("claude-code", "starts servers in the folder it was started in, and ignores cwd"),
        ("claude-desktop", "starts servers in / on macOS"),
        ("codex gemini opencode vscode", "starts servers in the entry's cwd, else in its own folder or the workspace"),
        ("cursor", "ignores cwd"),
    ),
    "launch-env": (
        ("ts1 ts2 py1 py2", "hands over HOME, LOGNAME, PATH, SHELL, TERM, USER and the entry's env"),
        ("csharp", "hands over everything"),
        ("claude-code", "hands over everything and the entry's env"),
        ("codex", "hands over a dozen variables, env_vars and the entry's env"),
        ("gemini", "leaves out names that look like secrets unless they stand in the entry's env"),
        ("copilot", "hands over only PATH and the entry's env"),
    ),
    "result-large": (("claude-code", "cuts results above 25,000 tokens (MAX_MCP_OUTPUT_TOKENS)"),),
    "tool-name-invalid": (("claude-code", "turns other characters into _"),),
    "tool-name-host-limit": (
        ("gemini", "cuts names in the middle above 63 characters"),
        ("codex", "takes names up to 64 characters"),
    ),
}  # fmt: skip

SEEN: dict[str, dict[str, str]] = {
    fault: {family: does for families, does in rows for family in families.split()}
    for fault, rows in _ROWS.items()
}
"""For each fault (a rule, or a rule and a variant): what each family does."""

NEUTRAL = frozenset({"launch-unexpanded", "launch-cwd", "launch-env", "shutdown-slow", "request-unanswered",
                     "initialize-unanswered", "discover-unanswered"})  # fmt: skip
"""Faults whose rows say how clients are, not whether they suffer."""
