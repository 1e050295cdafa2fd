"""GitHub Copilot CLI."""

from __future__ import annotations

from mcptap.clients.client import Client, Environment
from mcptap.clients.configuration import (
    ConfigFile,
    Configuration,
    EntryForm,
    Parents,
    Syntax,
)
from mcptap.clients.facts import Fact, Origin, Source
from mcptap.clients.habits import Habits, OwnLog

_RUN = Source(Origin.RUN, "run of 1.0.102: copilot mcp list, get, add", "1.0.102")
_DOCUMENTATION = Source(
    Origin.DOCUMENTATION, "github/docs: customize-copilot/add-mcp-servers.md", "commit 091100a4"
)

CLIENTS = (
    Client(
        "copilot-cli",
        "GitHub Copilot CLI",
        "1.0.102",
        names=r"^(?:github-)?copilot\b",
        environment=Fact(Environment(("PATH",)), _DOCUMENTATION),
        configuration=Configuration(
            files=Fact(
                (
                    ConfigFile("user", "~/.copilot/mcp-config.json"),
                    ConfigFile("repository", ".github/mcp.json", parents=Parents.REPOSITORY),
                    ConfigFile("repository", ".mcp.json", parents=Parents.REPOSITORY, borrowed=True),
                ),
                _DOCUMENTATION,
                "from the start folder up to the root of the repository, the nearest first",
            ),
            later_wins=Fact(True, _DOCUMENTATION),
            syntax=Fact(Syntax.JSONC, _RUN),
            servers_at=Fact(("mcpServers",), _RUN),
            entry=Fact(("type", "command", "args", "env", "tools"), _DOCUMENTATION),
            form=Fact(EntryForm(stdio_types=("local", "stdio")), _DOCUMENTATION),
        ),
        habits=Habits(
            rewrites=Fact("`copilot mcp add` drops comments and unknown keys", _RUN),
            log=Fact(OwnLog("copilot mcp list, and /mcp show"), _RUN),
            approval=Fact(
                "Copilot CLI takes the servers of a repository once its folder is trusted, and none in "
                "prompt mode",
                _DOCUMENTATION,
            ),
        ),
    ),
)
