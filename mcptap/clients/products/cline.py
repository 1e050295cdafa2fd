"""Cline: the extension, and its command line, which speaks to servers in its own way."""

from __future__ import annotations

from mcptap.clients.client import (
    Client,
    Environment,
    Folder,
    Opening,
    RequestLimit,
    Since,
    StartLimit,
    StopStep,
    WorkingDirectory,
)
from mcptap.clients.configuration import (
    ConfigFile,
    Configuration,
    EntryForm,
    Moved,
    Syntax,
    Transport,
    Unset,
    Variables,
)
from mcptap.clients.facts import Confidence, Fact, Origin, Source
from mcptap.clients.faults import Fault
from mcptap.clients.habits import Habits, OwnLog, TimeoutKey
from mcptap.clients.libraries.typescript import LEFT_TO_SDK, SHORT_ENVIRONMENT, STOP, TYPESCRIPT_1
from mcptap.clients.outcomes import Outcome

_SOURCE = Source(
    Origin.SOURCE_TEXT,
    "cline/cline: services/mcp, sdk/packages/core extensions/mcp/client.ts",
    "August 2026 (commit 21cb8d25)",
)
_IN_EDITOR = "globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"
_CONFIGURATION = Configuration(
    after_change=Fact("it connects anew when the file changes", _SOURCE),
    files=Fact(
        (
            ConfigFile(
                "user",
                f"~/.config/Code/User/{_IN_EDITOR}",
                macos=f"~/Library/Application Support/Code/User/{_IN_EDITOR}",
                windows=rf"%APPDATA%\Code\User\{_IN_EDITOR}",
                older=True,
                not_for=("cline-cli",),
            ),
            ConfigFile("user", "~/.cline/mcp.json"),
            ConfigFile(
                "user",
                "~/.cline/data/settings/cline_mcp_settings.json",
                moved=(Moved("CLINE_MCP_SETTINGS_PATH"),),
            ),
        ),
        _SOURCE,
        "the second is in its documentation alone; the first is that of older versions of the extension",
        Confidence.MEDIUM,
    ),
    syntax=Fact(Syntax.JSON, _SOURCE),
    servers_at=Fact(("mcpServers",), _SOURCE),
    entry=Fact(
        ("type", "command", "args", "cwd", "env", "disabled", "autoApprove", "timeout", "transport"), _SOURCE
    ),
    form=Fact(
        EntryForm(nested="transport", url={"url": Transport.SSE}, disabled="disabled"),
        _SOURCE,
    ),
    variables=Fact(Variables(("${env:NAME}",), unset=Unset.TEXT), _SOURCE),
)
_HABITS = Habits(
    timeouts=Fact((TimeoutKey("timeout", 1, starts=True, least=1),), _SOURCE, "1 to 3600"),
    log=Fact(OwnLog("the MCP panel, which shows the server's stderr"), _SOURCE),
)

CLIENTS = (
    Client(
        "cline",
        "Cline",
        "3.x",
        names=r"^cline\b",
        libraries=Fact((TYPESCRIPT_1,), _SOURCE),
        cwd=Fact(WorkingDirectory(Folder.START, uses_entry=True), _SOURCE, "/ was reported"),
        environment=Fact(SHORT_ENVIRONMENT, _SOURCE),
        start_limit=Fact(StartLimit(60, Since.REQUEST, setting="timeout in the entry"), _SOURCE),
        request_limit=Fact(RequestLimit(60), _SOURCE),
        stop=Fact(STOP, LEFT_TO_SDK),
        configuration=_CONFIGURATION,
        habits=_HABITS,
        reactions={Fault.NOT_JSON: Fact(Outcome.DISCONNECTS, _SOURCE)},
    ),
    Client(
        "cline-cli",
        "Cline CLI",
        "2026-08",
        cwd=Fact(WorkingDirectory(Folder.START, uses_entry=True), _SOURCE),
        environment=Fact(Environment(), _SOURCE),
        opening=Fact(
            Opening("2024-11-05"), _SOURCE, "after 3 s of silence it starts anew with Content-Length frames"
        ),
        start_limit=Fact(StartLimit(3, Since.REQUEST, setting="timeout in the entry"), _SOURCE),
        request_limit=Fact(RequestLimit(60), _SOURCE),
        stop=Fact((StopStep("SIGTERM", 0),), _SOURCE),
        configuration=_CONFIGURATION,
        habits=_HABITS,
        reactions={Fault.NOT_JSON: Fact(Outcome.KILLS, _SOURCE, '"Invalid MCP response"')},
    ),
)
