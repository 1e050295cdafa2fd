"""Cursor. It is closed: what stands here is what others say of it."""

from __future__ import annotations

from mcptap.clients.client import Client, Folder, WorkingDirectory
from mcptap.clients.configuration import (
    ConfigFile,
    Configuration,
    EntryForm,
    Syntax,
    Variables,
)
from mcptap.clients.facts import Confidence, Fact, Origin, Source
from mcptap.clients.habits import PUBLIC_LOGS, Habits, LogFile, OwnLog

_OTHERS = Source(Origin.OTHERS, "Cursor's MCP page, quoted by others", "November 2026")

CLIENTS = (
    Client(
        "cursor",
        "Cursor",
        names=r"^cursor\b",
        cwd=Fact(
            WorkingDirectory(Folder.HOME, uses_entry=False),
            _OTHERS,
            "servers of the user, in one kind of window",
        ),
        configuration=Configuration(
            files=Fact(
                (ConfigFile("user", "~/.cursor/mcp.json"), ConfigFile("project", ".cursor/mcp.json")), _OTHERS
            ),
            later_wins=Fact(True, _OTHERS),
            syntax=Fact(Syntax.JSON, _OTHERS, "whether comments do harm is not known", Confidence.LOW),
            servers_at=Fact(("mcpServers",), _OTHERS),
            entry=Fact(("type", "command", "args", "env", "envFile"), _OTHERS),
            form=Fact(EntryForm(), _OTHERS),
            variables=Fact(Variables(("${env:NAME}", "${userHome}", "${workspaceFolder}")), _OTHERS),
        ),
        habits=Habits(
            log_files=Fact(
                (
                    LogFile(
                        "~/.config/Cursor/logs/**/*MCP*.log",
                        macos="~/Library/Application Support/Cursor/logs/**/*MCP*.log",
                        windows="%APPDATA%\\Cursor\\logs\\**\\*MCP*.log",
                    ),
                ),
                PUBLIC_LOGS,
            ),
            approval=Fact("Cursor is said to ask again after a change", _OTHERS, doubt=Confidence.LOW),
            log=Fact(OwnLog("the channel MCP of the Output panel"), _OTHERS),
        ),
    ),
)
