"""Zed."""

from __future__ import annotations

from mcptap.clients.client import Client, Environment, RequestLimit, Since, StartLimit, StopStep
from mcptap.clients.configuration import (
    ConfigFile,
    Configuration,
    EntryForm,
    Moved,
    Syntax,
    Transport,
)
from mcptap.clients.facts import Confidence, Fact, Origin, Source
from mcptap.clients.habits import PUBLIC_LOGS, Habits, LogFile, OwnLog

_DOCUMENTATION = Source(Origin.DOCUMENTATION, "zed-industries/zed: docs/src/ai/mcp.md", "commit 04ebba46")
_SOURCE = Source(
    Origin.SOURCE_TEXT,
    "zed-industries/zed: crates/context_server/src/transport/stdio_transport.rs",
    "commit 11e0c3b9",
)
_CLIENT_SOURCE = Source(
    Origin.SOURCE_TEXT, "zed-industries/zed: crates/context_server/src/client.rs", "November 2026"
)
_CONFIGURING = Source(Origin.DOCUMENTATION, "zed.dev/docs/configuring-zed", "November 2026")
_OLDER = Confidence.MEDIUM

CLIENTS = (
    Client(
        "zed",
        "Zed",
        names=r"^zed\b",
        environment=Fact(Environment(), _DOCUMENTATION, doubt=_OLDER),
        start_limit=Fact(
            StartLimit(60, Since.REQUEST, setting="context_server_timeout"), _DOCUMENTATION, doubt=_OLDER
        ),
        request_limit=Fact(RequestLimit(60), _DOCUMENTATION, doubt=_OLDER),
        stop=Fact((StopStep("SIGKILL", 0),), _SOURCE),
        configuration=Configuration(
            files=Fact(
                (
                    ConfigFile(
                        "user",
                        "~/.config/zed/settings.json",
                        windows=r"%APPDATA%\Zed\settings.json",
                        moved=(Moved("XDG_CONFIG_HOME", "zed/settings.json", on="linux"),),
                    ),
                    ConfigFile("project", ".zed/settings.json"),
                ),
                _CONFIGURING,
                "the second is a single hint",
            ),
            syntax=Fact(Syntax.JSONC, _DOCUMENTATION, doubt=_OLDER),
            servers_at=Fact(("context_servers",), _SOURCE, "profiles hold another key of that name"),
            entry=Fact(("source", "command", "args", "env", "timeout", "enabled", "settings"), _SOURCE),
            form=Fact(
                EntryForm(program="path", bare=Transport.EXTENSION, enabled="enabled"),
                _DOCUMENTATION,
                "older files have an object as command",
            ),
        ),
        habits=Habits(
            null_params=Fact(True, _CLIENT_SOURCE),
            log_files=Fact(
                (
                    LogFile(
                        "~/.local/share/zed/logs/Zed.log*",
                        macos="~/Library/Logs/Zed/Zed.log*",
                        windows="%LOCALAPPDATA%\\Zed\\logs\\Zed.log*",
                    ),
                ),
                PUBLIC_LOGS,
            ),
            log=Fact(OwnLog("Zed's log, and the dot in the agent panel"), _DOCUMENTATION, doubt=_OLDER),
        ),
    ),
)
