"""The clients, one row each. Where a fact was seen or read stands with it; see `facts` for the terms."""

from __future__ import annotations

from collections.abc import Mapping

from mcptap.clients.facts import (
    NEWEST_HANDSHAKE,
    Client,
    Confidence,
    Environment,
    Fact,
    Folder,
    Opening,
    Sdk,
    StopAction,
    Stray,
)

VERIFIED, HIGH, MEDIUM = Confidence.VERIFIED, Confidence.HIGH, Confidence.MEDIUM

SDK_ENVIRONMENT = Environment(("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"))
SDK_ENVIRONMENT_WINDOWS = Environment(
    (
        *("APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PROCESSOR_ARCHITECTURE"),
        *("SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE", "PROGRAMFILES", "PATHEXT"),
    )
)
SDK_STOP = (StopAction("close", 2), StopAction("SIGTERM", 2))
SDK_STOP_GROUP = (StopAction("close", 2), StopAction("SIGTERM", 2, group=True))
SDK_LIMIT_S = 60.0
SDK_LONGEST_LINE = 10 << 20

_TS1 = "TypeScript SDK 1.32.2: shared/stdio.js, client/stdio.js, shared/protocol.js"
_TS2 = "TypeScript SDK 2.4.0: client/stdio.ts, shared/stdio.ts"
_PY = "Python SDK: src/mcp/client/stdio.py"
_CODEX = "openai/codex: rmcp-client/src/utils.rs, stdio_server_launcher.rs, local_stdio_transport.rs"
_VSCODE = "microsoft/vscode: extHostMcpNode.ts, mcpStdioStateHandler.ts"
_CLINE = "cline/cline: services/mcp, sdk/packages/core extensions/mcp/client.ts"
_ROO = "RooCodeInc/Roo-Code: services/mcp/McpHub.ts"
_CONTINUE = "continuedev/continue: core/context/mcp"
_GEMINI = "google-gemini/gemini-cli: core/src/tools/mcp-client.ts"

CLIENTS: Mapping[str, Client] = {
    client.id: client
    for client in (
        Client(
            "claude-code",
            "Claude Code",
            "2.1.332",
            cwd=Fact(Folder.START, VERIFIED, "run of 2.1.332", "a cwd in the entry is ignored"),
            environment=Fact(
                Environment(
                    adds={
                        "CLAUDECODE": "1",
                        "CLAUDE_PROJECT_DIR": "{cwd}",
                        "CLAUDE_CODE_SESSION_ID": "00000000-0000-4000-8000-000000000000",
                    }
                ),
                VERIFIED,
                "run of 2.1.332",
                "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB=1 takes credentials out",
            ),
            opening=Fact(
                Opening(NEWEST_HANDSHAKE, True, 3, "server-discover-probe-1"),
                VERIFIED,
                "run of 2.1.332",
                "server/discover has a string for an id; which one may differ",
            ),
            start_limit_s=Fact(30, VERIFIED, "run of 2.1.332", "MCP_TIMEOUT changes it"),
            stop=Fact(
                (StopAction("SIGINT", 0.1), StopAction("SIGTERM", 0.4)),
                VERIFIED,
                "run of 2.1.332 on Linux",
                "stdin stays open; only the started process gets the signals",
            ),
            stray=Fact(Stray.IGNORED, VERIFIED, "run of 2.1.332", "it stands in the MCP log"),
            longest_line=Fact(16 << 20, VERIFIED, "run of 2.1.332"),
        ),
        Client(
            "claude-desktop",
            "Claude Desktop",
            cwd=Fact(
                Folder.ROOT,
                MEDIUM,
                "modelcontextprotocol.io, Debugging",
                "seen on macOS; undefined elsewhere",
            ),
            environment=Fact(
                Environment(("HOME", "PATH", "USER")),
                HIGH,
                "modelcontextprotocol.io, Debugging",
                "the names are examples of a short list; the PATH of a program started from the desktop "
                "often lacks your tool folders",
            ),
            stray=Fact(Stray.REPORTED, MEDIUM, "anthropics/claude-code issue 44764"),
        ),
        Client(
            "codex",
            "Codex",
            "0.171.0",
            cwd=Fact(Folder.START, MEDIUM, _CODEX, "the entry's cwd comes first"),
            environment=Fact(
                Environment(
                    (
                        *("HOME", "LOGNAME", "PATH", "SHELL", "USER", "__CF_USER_TEXT_ENCODING"),
                        *("LANG", "LC_ALL", "TERM", "TMPDIR", "TZ"),
                    )
                ),
                HIGH,
                _CODEX,
                "env_vars in the entry pass on more",
            ),
            opening=Fact(
                Opening(NEWEST_HANDSHAKE),
                MEDIUM,
                _CODEX,
                "the handshake; which revision it names was not seen",
            ),
            start_limit_s=Fact(30, MEDIUM, _CODEX, "10 s in older versions; startup_timeout_sec changes it"),
            stop=Fact((StopAction("close", 3), StopAction("SIGTERM", 2, group=True)), HIGH, _CODEX),
            stray=Fact(Stray.IGNORED, HIGH, _CODEX, "up to about 0.12x it failed the handshake"),
            sdk=Fact(Sdk.RUST, HIGH, _CODEX),
        ),
        Client(
            "cursor",
            "Cursor",
            cwd=Fact(
                Folder.HOME,
                MEDIUM,
                "Cursor's MCP page, quoted by others",
                "servers of the user in one kind of window; a cwd in the entry is said to be ignored",
            ),
        ),
        Client(
            "vscode",
            "VS Code",
            cwd=Fact(
                Folder.WORKSPACE, HIGH, _VSCODE, "the entry's cwd comes first; without a workspace, home"
            ),
            environment=Fact(Environment(), HIGH, _VSCODE, "a PATH in the entry is appended"),
            stop=Fact((StopAction("close", 10), StopAction("SIGTERM", 10)), HIGH, _VSCODE),
            stray=Fact(Stray.IGNORED, HIGH, _VSCODE, '"Failed to parse message" stands in its output'),
        ),
        Client("windsurf", "Windsurf"),
        Client(
            "cline",
            "Cline (extension)",
            "3.x",
            cwd=Fact(Folder.START, HIGH, _CLINE, "the entry's cwd comes first; / was reported"),
            environment=Fact(SDK_ENVIRONMENT, HIGH, _CLINE),
            start_limit_s=Fact(60, HIGH, _CLINE, "timeout in the entry changes it"),
            stop=Fact(SDK_STOP, HIGH, _TS1),
            stray=Fact(Stray.DISCONNECTS, HIGH, _CLINE),
            sdk=Fact(Sdk.TYPESCRIPT_1, HIGH, _CLINE),
        ),
        Client(
            "cline-cli",
            "Cline (command line)",
            "2026-08",
            cwd=Fact(Folder.START, HIGH, _CLINE),
            environment=Fact(Environment(), HIGH, _CLINE),
            opening=Fact(
                Opening("2024-11-05"),
                HIGH,
                _CLINE,
                "after 3 s of silence it starts anew with Content-Length frames",
            ),
            start_limit_s=Fact(3, HIGH, _CLINE),
            stop=Fact((StopAction("SIGTERM", 0),), HIGH, _CLINE),
            stray=Fact(Stray.KILLS, HIGH, _CLINE, '"Invalid MCP response"'),
        ),
        Client(
            "roo",
            "Roo Code",
            "2026-04",
            cwd=Fact(Folder.WORKSPACE, HIGH, _ROO, "the entry's cwd comes first"),
            environment=Fact(SDK_ENVIRONMENT, HIGH, _ROO),
            start_limit_s=Fact(60, HIGH, _ROO),
            stop=Fact(SDK_STOP, HIGH, _TS1),
            stray=Fact(Stray.DISCONNECTS, HIGH, _ROO),
            sdk=Fact(Sdk.TYPESCRIPT_1, HIGH, _ROO),
        ),
        Client(
            "zed",
            "Zed",
            environment=Fact(Environment(), MEDIUM, "zed-industries/zed: docs/src/ai/mcp.md"),
            start_limit_s=Fact(
                60, MEDIUM, "zed-industries/zed: docs/src/ai/mcp.md", "context_server_timeout"
            ),
            stop=Fact((StopAction("SIGKILL", 0),), HIGH, "zed-industries/zed: transport/stdio_transport.rs"),
        ),
        Client(
            "gemini-cli",
            "Gemini CLI",
            "0.61.0",
            cwd=Fact(Folder.START, VERIFIED, "run of 0.61.0", "the entry's cwd comes first"),
            environment=Fact(
                Environment(without=("TOKEN", "SECRET", "KEY", "AUTH")),
                VERIFIED,
                "run of 0.61.0",
                "more names than these four pieces may be held back",
            ),
            opening=Fact(Opening("2025-06-18"), VERIFIED, "run of `mcp list` 0.61.0"),
            start_limit_s=Fact(600, HIGH, _GEMINI, "timeout in the entry changes it"),
            stop=Fact(SDK_STOP, MEDIUM, _TS1, "`mcp list` sent SIGTERM at once"),
            stray=Fact(Stray.DISCONNECTS_LATER, HIGH, _GEMINI),
            sdk=Fact(Sdk.TYPESCRIPT_1, HIGH, _GEMINI),
        ),
        Client(
            "continue",
            "Continue",
            "2026-06",
            cwd=Fact(Folder.WORKSPACE, HIGH, _CONTINUE, "the entry's cwd comes first"),
            environment=Fact(
                Environment(("HOME", "LOGNAME", "PATH", "USER", "USERNAME", "USERPROFILE")),
                HIGH,
                _CONTINUE,
                "PATH is that of the login shell",
            ),
            start_limit_s=Fact(20, HIGH, _CONTINUE),
            stop=Fact(SDK_STOP, HIGH, _TS1),
            sdk=Fact(Sdk.TYPESCRIPT_1, HIGH, _CONTINUE),
        ),
        Client(
            "goose",
            "Goose",
            "2026",
            stray=Fact(Stray.IGNORED, MEDIUM, "Rust SDK: transport/async_rw.rs"),
            sdk=Fact(Sdk.RUST, MEDIUM, "block/goose: agents/extension.rs"),
        ),
        Client(
            "opencode",
            "opencode",
            "1.18.33",
            cwd=Fact(Folder.WORKSPACE, VERIFIED, "run of 1.18.33", "the entry's cwd comes first"),
            environment=Fact(Environment(), VERIFIED, "run of 1.18.33"),
            opening=Fact(Opening(NEWEST_HANDSHAKE), VERIFIED, "run of 1.18.33"),
            stop=Fact(SDK_STOP_GROUP, VERIFIED, "run of 1.18.33", "the server's children too"),
            stray=Fact(Stray.IGNORED, VERIFIED, "run of 1.18.33"),
        ),
        Client(
            "copilot-cli",
            "GitHub Copilot CLI",
            "1.0.102",
            environment=Fact(
                Environment(("PATH",)), HIGH, "github/docs: customize-copilot/add-mcp-servers.md"
            ),
        ),
        Client("kiro", "Kiro"),
        Client("lm-studio", "LM Studio"),
        Client("junie", "JetBrains Junie"),
        Client("visual-studio", "Visual Studio"),
        Client("amp", "Amp"),
        Client("warp", "Warp"),
        Client(
            "typescript-sdk-1",
            "a client built on the TypeScript SDK 1.x",
            "1.32.2",
            cwd=Fact(Folder.START, HIGH, _TS1),
            environment=Fact(SDK_ENVIRONMENT, HIGH, _TS1),
            opening=Fact(Opening(NEWEST_HANDSHAKE), VERIFIED, "run of 1.32.2"),
            start_limit_s=Fact(SDK_LIMIT_S, HIGH, _TS1),
            stop=Fact(SDK_STOP, HIGH, _TS1),
            stray=Fact(Stray.REPORTED, VERIFIED, "run of 1.32.2", "onerror is called"),
            longest_line=Fact(SDK_LONGEST_LINE, VERIFIED, "run of 1.32.2"),
            sdk=Fact(Sdk.TYPESCRIPT_1, VERIFIED, "run of 1.32.2"),
        ),
        Client(
            "typescript-sdk-2",
            "a client built on the TypeScript SDK 2.x with versionNegotiation auto",
            "2.4.0",
            cwd=Fact(Folder.START, HIGH, _TS2),
            environment=Fact(SDK_ENVIRONMENT, HIGH, _TS2),
            opening=Fact(
                Opening(NEWEST_HANDSHAKE, True, SDK_LIMIT_S, "server-discover-probe-1", sibling=True),
                VERIFIED,
                "run of 2.4.0",
                "without versionNegotiation it sends initialize alone",
            ),
            start_limit_s=Fact(SDK_LIMIT_S, HIGH, _TS2),
            stop=Fact(SDK_STOP, HIGH, _TS2),
            stray=Fact(Stray.IGNORED, VERIFIED, "run of 2.4.0"),
            longest_line=Fact(SDK_LONGEST_LINE, VERIFIED, "run of 2.4.0"),
            sdk=Fact(Sdk.TYPESCRIPT_2, VERIFIED, "run of 2.4.0"),
        ),
        Client(
            "python-sdk-1",
            "a client built on the Python SDK 1.x",
            "1.30.0",
            cwd=Fact(Folder.START, HIGH, _PY),
            environment=Fact(SDK_ENVIRONMENT, HIGH, _PY),
            opening=Fact(Opening(NEWEST_HANDSHAKE), VERIFIED, "run of 1.30.0"),
            stop=Fact(SDK_STOP_GROUP, HIGH, _PY),
            stray=Fact(Stray.IGNORED, VERIFIED, "run of 1.30.0", "logged"),
            sdk=Fact(Sdk.PYTHON_1, VERIFIED, "run of 1.30.0"),
        ),
        Client(
            "python-sdk-2",
            "a client built on the Python SDK 2.x",
            "2.3.0",
            cwd=Fact(Folder.START, HIGH, _PY),
            environment=Fact(SDK_ENVIRONMENT, HIGH, _PY),
            opening=Fact(Opening(NEWEST_HANDSHAKE, True, 10, 1), VERIFIED, "run of 2.3.0"),
            stop=Fact(SDK_STOP_GROUP, HIGH, _PY),
            stray=Fact(Stray.IGNORED, VERIFIED, "run of 2.3.0", "logged"),
            sdk=Fact(Sdk.PYTHON_2, VERIFIED, "run of 2.3.0"),
        ),
    )
}
"""All clients by the name that `probe --as` takes."""
