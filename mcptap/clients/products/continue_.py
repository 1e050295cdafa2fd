"""Continue."""

from __future__ import annotations

from mcptap.clients.client import Client, Environment, Folder, Since, StartLimit, WorkingDirectory
from mcptap.clients.configuration import (
    ConfigFile,
    Configuration,
    EntryForm,
    Syntax,
    Variables,
)
from mcptap.clients.facts import Fact, Origin, Source
from mcptap.clients.habits import Habits, OwnLog, TimeoutKey
from mcptap.clients.libraries.typescript import LEFT_TO_SDK, STOP, TYPESCRIPT_1

_SOURCE = Source(
    Origin.SOURCE_TEXT,
    "continuedev/continue: core/context/mcp, packages/config-yaml",
    "June 2026 (commit d0a3c0b6)",
)

CLIENTS = (
    Client(
        "continue",
        "Continue",
        "2026-06",
        names=r"^continue\b",
        libraries=Fact((TYPESCRIPT_1,), _SOURCE),
        cwd=Fact(WorkingDirectory(Folder.WORKSPACE, uses_entry=True), _SOURCE),
        environment=Fact(
            Environment(("HOME", "LOGNAME", "PATH", "USER", "USERNAME", "USERPROFILE")),
            _SOURCE,
            "PATH is that of the login shell",
        ),
        start_limit=Fact(StartLimit(20, Since.SPAWN, setting="connectionTimeout in the entry"), _SOURCE),
        stop=Fact(STOP, LEFT_TO_SDK),
        configuration=Configuration(
            files=Fact(
                (
                    ConfigFile("user", "~/.continue/config.yaml"),
                    ConfigFile("user", "~/.continue/mcpServers/*.yaml"),
                    ConfigFile("user", "~/.continue/mcpServers/*.json", syntax=Syntax.JSONC),
                    ConfigFile("project", ".continue/mcpServers/*.yaml"),
                    ConfigFile("project", ".continue/mcpServers/*.json", syntax=Syntax.JSONC),
                ),
                _SOURCE,
            ),
            syntax=Fact(
                Syntax.YAML, _SOURCE, "a list of entries with names; files may be JSON with comments"
            ),
            servers_at=Fact(("mcpServers",), _SOURCE),
            entry=Fact(("name", "type", "command", "args", "env", "cwd", "connectionTimeout"), _SOURCE),
            form=Fact(EntryForm(named_list=True), _SOURCE),
            variables=Fact(Variables(("${{ secrets.NAME }}",)), _SOURCE),
        ),
        habits=Habits(
            timeouts=Fact((TimeoutKey("connectionTimeout", 0.001, starts=True),), _SOURCE),
            tool_prefix=Fact("{server}_", _SOURCE),
            starts_batch=Fact(True, _SOURCE, "npx, uv, uvx and others, by cmd.exe /c"),
            log=Fact(OwnLog("the error text in its window, with the server's stderr"), _SOURCE),
        ),
    ),
)
