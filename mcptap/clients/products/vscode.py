"""VS Code (agent mode)."""

from __future__ import annotations

from mcptap.clients.client import CLOSE, Arguments, Client, Environment, Folder, StopStep, WorkingDirectory
from mcptap.clients.configuration import (
    ConfigFile,
    Configuration,
    EntryForm,
    Syntax,
    Variables,
)
from mcptap.clients.facts import Fact, Origin, Source
from mcptap.clients.faults import Fault
from mcptap.clients.habits import PUBLIC_LOGS, Habits, LogFile, OwnLog
from mcptap.clients.outcomes import Outcome

_SOURCE = Source(
    Origin.SOURCE_TEXT,
    "microsoft/vscode: extHostMcpNode.ts@0334cc07, mcpStdioStateHandler.ts@0baa8cd7, "
    "mcpConfiguration.ts@0b37532c, mainThreadMcp.ts",
    "November 2026",
)
_DOCUMENTATION = Source(
    Origin.DOCUMENTATION, "microsoft/vscode-docs: mcp-configuration.md", "commit 52f4f62f"
)
_USER_SETTINGS = ConfigFile(
    "user settings",
    "~/.config/Code/User/settings.json",
    macos="~/Library/Application Support/Code/User/settings.json",
    windows=r"%APPDATA%\Code\User\settings.json",
    at=("mcp.servers",),
    older=True,
)

CLIENTS = (
    Client(
        "vscode",
        "VS Code",
        names=r"visual studio code|^code$|^code-insiders$|^vscode",
        cwd=Fact(WorkingDirectory(Folder.WORKSPACE, uses_entry=True), _SOURCE, "without a workspace, home"),
        arguments=Fact(
            Arguments(shell=False, expands_tilde=True), _SOURCE, "on Windows .cmd runs in a shell"
        ),
        environment=Fact(Environment(), _SOURCE, "a PATH in the entry is appended"),
        stop=Fact((StopStep(CLOSE, 10), StopStep("SIGTERM", 10)), _SOURCE, "a second stop kills at once"),
        configuration=Configuration(
            after_change=Fact(
                "it asks whether you trust the changed server before it starts it",
                _DOCUMENTATION,
            ),
            files=Fact(
                (
                    _USER_SETTINGS,
                    ConfigFile(
                        "user",
                        "~/.config/Code/User/mcp.json",
                        macos="~/Library/Application Support/Code/User/mcp.json",
                        windows=r"%APPDATA%\Code\User\mcp.json",
                    ),
                    ConfigFile(
                        "profile",
                        "~/.config/Code/User/profiles/*/mcp.json",
                        macos="~/Library/Application Support/Code/User/profiles/*/mcp.json",
                        windows=r"%APPDATA%\Code\User\profiles\*\mcp.json",
                    ),
                    ConfigFile(
                        "workspace settings", ".vscode/settings.json", at=("mcp.servers",), older=True
                    ),
                    ConfigFile("workspace", ".vscode/mcp.json"),
                ),
                _DOCUMENTATION,
                "older: the key mcp.servers in the settings; where profiles lie is second hand",
            ),
            syntax=Fact(Syntax.JSONC, _SOURCE),
            servers_at=Fact(("servers",), _SOURCE),
            entry=Fact(("type", "command", "args", "cwd", "env", "envFile", "dev"), _SOURCE),
            form=Fact(EntryForm(), _SOURCE),
            variables=Fact(
                Variables(
                    ("${workspaceFolder}", "${userHome}", "${env:NAME}", "${input:id}"),
                ),
                _DOCUMENTATION,
                "inputs are asked once; what an unset variable becomes is not known",
            ),
        ),
        habits=Habits(
            log_files=Fact(
                (
                    LogFile(
                        "~/.config/Code/logs/**/mcpServer.*.log",
                        macos="~/Library/Application Support/Code/logs/**/mcpServer.*.log",
                        windows="%APPDATA%\\Code\\logs\\**\\mcpServer.*.log",
                    ),
                ),
                PUBLIC_LOGS,
            ),
            env_takes=Fact(("string", "number", "null"), _SOURCE),
            starts_batch=Fact(True, _SOURCE),
            appends_path=Fact(True, _SOURCE),
            old_places=Fact(("mcp.servers",), _DOCUMENTATION),
            log=Fact(OwnLog("the server's channel of the Output panel"), _SOURCE),
            approval=Fact("VS Code asks whether the server is trusted before it starts it", _DOCUMENTATION),
            imports=Fact({"chat.mcp.discovery.enabled": "servers of other clients"}, _DOCUMENTATION),
        ),
        reactions={Fault.NOT_JSON: Fact(Outcome.NOTES_IN_LOG, _SOURCE, '"Failed to parse message"')},
    ),
)
