"""Roo Code."""

from __future__ import annotations

from mcptap.clients.client import Client, Folder, NameLimit, RequestLimit, Since, StartLimit, WorkingDirectory
from mcptap.clients.configuration import (
    ConfigFile,
    Configuration,
    EntryForm,
    Syntax,
    Unset,
    Variables,
)
from mcptap.clients.facts import Fact, Origin, Source
from mcptap.clients.faults import Fault
from mcptap.clients.habits import Habits, OwnLog, TimeoutKey
from mcptap.clients.libraries.typescript import LEFT_TO_SDK, SHORT_ENVIRONMENT, STOP, TYPESCRIPT_1
from mcptap.clients.outcomes import Outcome

_SOURCE = Source(
    Origin.SOURCE_TEXT,
    "RooCodeInc/Roo-Code: services/mcp/McpHub.ts, utils/mcp-name.ts",
    "April 2026 (commit cb837566)",
)
_IN_EDITOR = "globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"

CLIENTS = (
    Client(
        "roo",
        "Roo Code",
        "2026-04",
        names=r"^roo\b",
        libraries=Fact((TYPESCRIPT_1,), _SOURCE),
        cwd=Fact(WorkingDirectory(Folder.WORKSPACE, uses_entry=True), _SOURCE),
        environment=Fact(SHORT_ENVIRONMENT, _SOURCE),
        start_limit=Fact(StartLimit(60, Since.REQUEST, setting="timeout in the entry"), _SOURCE),
        request_limit=Fact(RequestLimit(60), _SOURCE),
        stop=Fact(STOP, LEFT_TO_SDK),
        tool_names=Fact(NameLimit(64, cut=True), _SOURCE),
        configuration=Configuration(
            files=Fact(
                (
                    ConfigFile(
                        "user",
                        f"~/.config/Code/User/{_IN_EDITOR}",
                        macos=f"~/Library/Application Support/Code/User/{_IN_EDITOR}",
                        windows=rf"%APPDATA%\Code\User\{_IN_EDITOR}",
                    ),
                    ConfigFile("project", ".roo/mcp.json"),
                ),
                _SOURCE,
                "read for Linux; on other systems below the same folder of the editor",
            ),
            later_wins=Fact(True, _SOURCE),
            syntax=Fact(Syntax.JSON, _SOURCE),
            servers_at=Fact(("mcpServers",), _SOURCE),
            entry=Fact(
                (
                    *("type", "command", "args", "cwd", "env", "disabled", "timeout"),
                    *("alwaysAllow", "disabledTools", "watchPaths"),
                ),
                _SOURCE,
            ),
            form=Fact(EntryForm(disabled="disabled", remote_types=("streamable-http", "sse")), _SOURCE),
            variables=Fact(Variables(("${env:NAME}", "${workspaceFolder}"), unset=Unset.TEXT), _SOURCE),
        ),
        habits=Habits(
            url_without_type=Fact("refuses the entry, and says that it must name its type", _SOURCE),
            env_takes=Fact(("string",), _SOURCE),
            timeouts=Fact((TimeoutKey("timeout", 1, starts=True, least=1),), _SOURCE, "1 to 3600"),
            tool_prefix=Fact("mcp--{server}--", _SOURCE),
            starts_batch=Fact(True, _SOURCE, "by cmd.exe /c"),
            log=Fact(OwnLog("the MCP view, where stderr without the word INFO counts as an error"), _SOURCE),
        ),
        reactions={Fault.NOT_JSON: Fact(Outcome.DISCONNECTS, _SOURCE)},
    ),
)
