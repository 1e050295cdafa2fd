"""Gemini CLI."""

from __future__ import annotations

from mcptap.clients.client import (
    Arguments,
    Client,
    Environment,
    Folder,
    NameLimit,
    Opening,
    RequestLimit,
    Since,
    StartLimit,
    WorkingDirectory,
    outcomes,
)
from mcptap.clients.configuration import (
    ConfigFile,
    Configuration,
    EntryForm,
    Syntax,
    Transport,
    Unset,
    Variables,
)
from mcptap.clients.facts import Confidence, Fact, Origin, Source
from mcptap.clients.faults import Fault
from mcptap.clients.habits import PUBLIC_LOGS, Habits, LogFile, NameForm, OwnLog, TimeoutKey
from mcptap.clients.libraries.typescript import LEFT_TO_SDK, STOP, TYPESCRIPT_1
from mcptap.clients.outcomes import Outcome

_RUN = Source(Origin.RUN, "run of 0.61.0: gemini mcp list, add", "0.61.0")
_SOURCE = Source(
    Origin.SOURCE_TEXT,
    "google-gemini/gemini-cli: core/src/tools/mcp-client.ts, mcp-tool.ts",
    "commit 5411f113",
)

CLIENTS = (
    Client(
        "gemini-cli",
        "Gemini CLI",
        "0.61.0",
        names=r"^gemini-cli\b",
        libraries=Fact((TYPESCRIPT_1,), _SOURCE),
        cwd=Fact(WorkingDirectory(Folder.START, uses_entry=True), _RUN),
        arguments=Fact(Arguments(shell=False), _RUN),
        environment=Fact(
            Environment(without=("TOKEN", "SECRET", "KEY", "AUTH")),
            _RUN,
            "more names than these four pieces may be held back",
        ),
        opening=Fact(
            Opening("2025-06-18", capabilities={}, takes=("2024-11-05", "2025-03-26", "2025-06-18")),
            _RUN,
            "what `gemini mcp list` sends",
        ),
        start_limit=Fact(StartLimit(600, Since.REQUEST, setting="timeout in the entry"), _SOURCE),
        request_limit=Fact(RequestLimit(600), _SOURCE),
        stop=Fact(STOP, LEFT_TO_SDK, "`mcp list` sent SIGTERM at once", Confidence.MEDIUM),
        tool_names=Fact(NameLimit(63, cut=True), _SOURCE, "in the middle"),
        configuration=Configuration(
            after_change=Fact(
                "start it anew",
                _SOURCE,
            ),
            files=Fact(
                (
                    ConfigFile(
                        "system defaults",
                        "/etc/gemini-cli/system-defaults.json",
                        macos="/Library/Application Support/GeminiCli/system-defaults.json",
                        windows=r"C:\ProgramData\gemini-cli\system-defaults.json",
                    ),
                    ConfigFile("user", "~/.gemini/settings.json"),
                    ConfigFile("project", ".gemini/settings.json"),
                    ConfigFile(
                        "system",
                        "/etc/gemini-cli/settings.json",
                        macos="/Library/Application Support/GeminiCli/settings.json",
                        windows=r"C:\ProgramData\gemini-cli\settings.json",
                    ),
                ),
                _SOURCE,
            ),
            later_wins=Fact(True, _RUN, "seen of user and project"),
            syntax=Fact(Syntax.JSON_COMMENTS, _RUN),
            servers_at=Fact(("mcpServers",), _RUN),
            entry=Fact(
                ("command", "args", "env", "cwd", "timeout", "trust", "includeTools", "excludeTools"), _SOURCE
            ),
            form=Fact(
                EntryForm(url={"httpUrl": Transport.HTTP, "url": Transport.SSE}, excluded_at="mcp.excluded"),
                _SOURCE,
            ),
            variables=Fact(
                Variables(
                    ("$NAME", "${NAME}", "${NAME:-default}"), unset=Unset.TEXT, unset_in_env=Unset.EMPTY
                ),
                _RUN,
                "in env it ends up empty; there %NAME% is expanded too, on Windows",
            ),
        ),
        habits=Habits(
            log_files=Fact((LogFile("?", variable="GEMINI_DEBUG_LOG_FILE"),), PUBLIC_LOGS),
            unreadable=Fact("does not start until the file is mended", _RUN),
            bad_entry=Fact("does not start if a value in an entry is of the wrong kind", _RUN),
            env_takes=Fact(("string",), _RUN),
            names=Fact(
                NameForm(r"[^_]+", "without _"),
                _SOURCE,
                "tools are called mcp_<server>_<tool>, and a _ in the server's name breaks them up elsewhere",
            ),
            timeouts=Fact((TimeoutKey("timeout", 0.001, starts=True),), _SOURCE),
            tool_prefix=Fact("mcp_{server}_", _SOURCE),
            rewrites=Fact(
                "`gemini mcp add` writes the values of variables into the file, secrets as well", _RUN
            ),
            log=Fact(OwnLog("/mcp, the debug console (F12), and stderr with --debug"), _SOURCE),
            approval=Fact("In a folder that is not trusted Gemini CLI starts no server at all", _RUN),
        ),
        reactions={
            **outcomes(
                _RUN,
                {
                    Fault.CAPABILITY_SHAPE: Outcome.FAILS_TO_INITIALIZE,
                    Fault.CAPABILITY_NULL: Outcome.FAILS_TO_INITIALIZE,
                    Fault.STATELESS_HANDSHAKE: Outcome.FAILS_TO_INITIALIZE,
                    Fault.UNKNOWN_REVISION: Outcome.FAILS_TO_INITIALIZE,
                    Fault.UNDECLARED_TOOLS: Outcome.NEVER_ASKS,
                },
            ),
            Fault.NOT_JSON: Fact(Outcome.DISCONNECTS_ONCE_CONNECTED, _SOURCE),
        },
    ),
)
