"""Claude Desktop. It is closed: what stands here is documentation, or what others saw."""

from __future__ import annotations

from mcptap.clients.client import Client, Environment, Folder, WorkingDirectory
from mcptap.clients.configuration import (
    ConfigFile,
    Configuration,
    EntryForm,
    Moved,
    Syntax,
)
from mcptap.clients.facts import Confidence, Fact, Origin, Source
from mcptap.clients.faults import Fault
from mcptap.clients.habits import PUBLIC_LOGS, Habits, LogFile, OwnLog
from mcptap.clients.outcomes import Outcome

_DOCUMENTATION = Source(Origin.DOCUMENTATION, "modelcontextprotocol.io, Debugging", "November 2026")
CLIENTS = (
    Client(
        "claude-desktop",
        "Claude Desktop",
        names=r"^claude-ai\b|^claude[ -]desktop\b|^claude\.exe$",
        cwd=Fact(
            WorkingDirectory(Folder.ROOT),
            _DOCUMENTATION,
            "seen on macOS; undefined elsewhere",
            Confidence.MEDIUM,
        ),
        environment=Fact(
            Environment(("HOME", "PATH", "USER")),
            _DOCUMENTATION,
            "such as HOME, PATH and USER; the PATH of a program started from the desktop often lacks your "
            "tool folders",
        ),
        configuration=Configuration(
            after_change=Fact(
                "quit it and start it anew",
                _DOCUMENTATION,
            ),
            files=Fact(
                (
                    ConfigFile(
                        "user",
                        "~/.config/Claude/claude_desktop_config.json",
                        macos="~/Library/Application Support/Claude/claude_desktop_config.json",
                        windows=r"%APPDATA%\Claude\claude_desktop_config.json",
                        moved=(Moved("XDG_CONFIG_HOME", "Claude/claude_desktop_config.json", on="linux"),),
                    ),
                ),
                _DOCUMENTATION,
            ),
            syntax=Fact(
                Syntax.JSON, _DOCUMENTATION, "whether comments do harm is not known", Confidence.MEDIUM
            ),
            servers_at=Fact(("mcpServers",), _DOCUMENTATION),
            entry=Fact(("command", "args", "env"), _DOCUMENTATION),
            form=Fact(EntryForm(), _DOCUMENTATION, "remote servers are no entries here", Confidence.MEDIUM),
        ),
        habits=Habits(
            lists_unasked=Fact(True, PUBLIC_LOGS),
            log_files=Fact(
                (
                    LogFile(
                        "~/.config/Claude/logs/mcp*.log",
                        macos="~/Library/Logs/Claude/mcp*.log",
                        windows="%APPDATA%\\Claude\\logs\\mcp*.log",
                    ),
                    LogFile(
                        "?",
                        windows="%LOCALAPPDATA%\\Packages\\Claude_*\\LocalCache\\Roaming\\Claude\\logs\\mcp*.log",
                    ),
                ),
                PUBLIC_LOGS,
            ),
            log=Fact(
                OwnLog(
                    "?", macos="~/Library/Logs/Claude/mcp*.log", windows=r"%APPDATA%\Claude\logs\mcp*.log"
                ),
                _DOCUMENTATION,
            ),
        ),
        reactions={
            Fault.NOT_JSON: Fact(
                Outcome.REPORTS,
                Source(Origin.OTHERS, "anthropics/claude-code issue 44764", "November 2026"),
                "in a banner",
            ),
        },
    ),
)
