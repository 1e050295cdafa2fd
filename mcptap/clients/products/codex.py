"""Codex: the command line and the extensions share one program."""

from __future__ import annotations

from mcptap.clients.client import (
    CLOSE,
    Arguments,
    Client,
    Environment,
    Folder,
    NameLimit,
    Opening,
    RequestLimit,
    Since,
    StartLimit,
    StopStep,
    Until,
    WorkingDirectory,
    outcomes,
)
from mcptap.clients.configuration import (
    ConfigFile,
    Configuration,
    EntryForm,
    Moved,
    Parents,
    Syntax,
    Transport,
    Variables,
)
from mcptap.clients.facts import Confidence, Fact, Origin, Source
from mcptap.clients.faults import Fault
from mcptap.clients.habits import PUBLIC_LOGS, Habits, LogFile, NameForm, OwnLog, TimeoutKey
from mcptap.clients.libraries.rust import RUST
from mcptap.clients.outcomes import Outcome

_SOURCE = Source(
    Origin.SOURCE_TEXT,
    "openai/codex: config/src/mcp_types.rs@00b17c26, rmcp-client/src/utils.rs@08e91659, "
    "stdio_server_launcher.rs@0451186b, local_stdio_transport.rs@d086e275, "
    "codex-mcp/src/rmcp_client.rs@02beca9f",
    "November 2026",
)
_RUN = Source(Origin.RUN, "run of 0.171.0: codex mcp add, list, get, remove", "0.171.0")
_SERVERS = Source(Origin.RUN, "run of 0.171.0: codex app-server, mcpServerStatus/list", "0.171.0")
_TRUST = Source(
    Origin.OTHERS,
    "documentation of the crate tuff-adapter-codex 0.13.0, checked with 0.154.0",
    "November 2026",
)
_OLDER = Confidence.MEDIUM

CLIENTS = (
    Client(
        "codex",
        "Codex",
        "0.171.0",
        names=r"^codex\b",
        libraries=Fact((RUST,), _SOURCE),
        cwd=Fact(WorkingDirectory(Folder.START, uses_entry=True), _SOURCE, doubt=_OLDER),
        arguments=Fact(Arguments(shell=False), _SOURCE),
        environment=Fact(
            Environment(
                (
                    *("HOME", "LOGNAME", "PATH", "SHELL", "USER", "__CF_USER_TEXT_ENCODING"),
                    *("LANG", "LC_ALL", "TERM", "TMPDIR", "TZ"),
                )
            ),
            _SOURCE,
            "env_vars in the entry pass on more",
        ),
        opening=Fact(
            Opening(
                "2025-06-18",
                capabilities={"elicitation": {"form": {}, "url": {}}},
                takes=("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"),
            ),
            _SERVERS,
        ),
        start_limit=Fact(
            StartLimit(30, Since.SPAWN, Until.LISTED, "startup_timeout_sec in the entry", older_s=10),
            _SOURCE,
            doubt=_OLDER,
        ),
        request_limit=Fact(RequestLimit(300, older_s=60), _SOURCE, doubt=_OLDER),
        stop=Fact((StopStep(CLOSE, 3), StopStep("SIGTERM", 2, group=True)), _SOURCE),
        tool_names=Fact(NameLimit(64, cut=False), _SOURCE, doubt=_OLDER),
        configuration=Configuration(
            after_change=Fact(
                "start it anew",
                _SOURCE,
            ),
            files=Fact(
                (
                    ConfigFile("user", "~/.codex/config.toml", moved=(Moved("CODEX_HOME", "config.toml"),)),
                    ConfigFile("project", ".codex/config.toml", parents=Parents.REPOSITORY),
                ),
                _RUN,
                "the second counts in a trusted project",
            ),
            later_wins=Fact(True, _RUN, "in a trusted project"),
            syntax=Fact(
                Syntax.TOML, _RUN, "one entry with both or neither of command and url stops all of it"
            ),
            servers_at=Fact(("mcp_servers",), _RUN),
            entry=Fact(
                (
                    *("command", "args", "env", "env_vars", "cwd", "enabled", "required"),
                    *("startup_timeout_sec", "startup_timeout_ms", "tool_timeout_sec"),
                    *("enabled_tools", "disabled_tools", "default_tools_approval_mode"),
                    *("tools.*.approval_mode", "supports_parallel_tool_calls"),
                ),
                _SOURCE,
            ),
            form=Fact(
                EntryForm(has_type=False, url={"url": Transport.HTTP}, enabled="enabled"),
                _RUN,
                "there is no type; an entry with both or neither of command and url stops all of Codex",
            ),
            variables=Fact(Variables(()), _SOURCE, "env_vars lists variables to pass on"),
        ),
        habits=Habits(
            log_files=Fact((LogFile("~/.codex/log/codex-tui.log"),), PUBLIC_LOGS),
            unreadable=Fact("does not start until the file is mended", _RUN),
            bad_entry=Fact("refuses the whole file, and does not start", _RUN),
            other_key=Fact("finds no server in the file", _RUN),
            env_takes=Fact(("string",), _RUN),
            ignored_keys=Fact({"disabled": "enabled"}, _RUN),
            names=Fact(NameForm(r"[A-Za-z0-9_-]+", "of letters, digits, - and _"), _RUN, doubt=_OLDER),
            timeouts=Fact(
                (
                    TimeoutKey("startup_timeout_sec", 1, starts=True),
                    TimeoutKey("startup_timeout_ms", 0.001, starts=True),
                    TimeoutKey("tool_timeout_sec", 1),
                ),
                _SOURCE,
            ),
            tool_prefix=Fact("mcp__{server}__", _SOURCE, doubt=_OLDER),
            starts_batch=Fact(True, _SOURCE, "looked for with PATHEXT"),
            old_keys=Fact({"startup_timeout_ms": "startup_timeout_sec"}, _SOURCE),
            rewrites=Fact(
                "`codex mcp add` and `remove` drop comments and unknown keys in all mcp_servers tables", _RUN
            ),
            log=Fact(OwnLog("~/.codex/log/codex-tui.log"), _SOURCE),
            approval=Fact("Codex takes a project's file once the project is trusted", _TRUST),
        ),
        reactions={
            **outcomes(
                _SERVERS,
                {
                    Fault.GLUED_TEXT: Outcome.WAITS,
                    Fault.BARE_VALUE: Outcome.ANSWERS,
                    Fault.MESSAGE_OVER_LINES: Outcome.REFUSES,
                    Fault.BYTE_ORDER_MARK: Outcome.UNHARMED,
                    Fault.CRLF: Outcome.UNHARMED,
                    Fault.BLANK_LINE: Outcome.UNHARMED,
                    Fault.INVALID_UTF8: Outcome.WAITS,
                    Fault.NOT_A_NUMBER: Outcome.WAITS,
                    Fault.UTF16: Outcome.WAITS,
                    Fault.LONG_LINE: Outcome.UNHARMED,
                    Fault.BATCH: Outcome.REFUSES,
                    Fault.NULL_MEMBER: Outcome.REFUSES,
                    Fault.RESULT_AND_ERROR: Outcome.REFUSES,
                    Fault.EXTRA_MEMBER: Outcome.ACCEPTS,
                    Fault.JSONRPC_VERSION: Outcome.REFUSES,
                    Fault.ID_TYPE: Outcome.MATCHES,
                    Fault.UNKNOWN_ID: Outcome.UNHARMED,
                    Fault.DUPLICATE_RESPONSE: Outcome.UNHARMED,
                    Fault.UNKNOWN_NOTIFICATION: Outcome.UNHARMED,
                    Fault.NULL_FIELD: Outcome.ACCEPTS,
                    Fault.NO_INPUT_SCHEMA: Outcome.REJECTS_LIST,
                    Fault.INPUT_SCHEMA: Outcome.ACCEPTS,
                    Fault.TOOLS_SHAPE: Outcome.REJECTS_LIST,
                    Fault.OPENING_SHAPE: Outcome.FAILS_TO_INITIALIZE,
                    Fault.PAGE_ERROR: Outcome.LOSES_LIST,
                    Fault.CAPABILITY_SHAPE: Outcome.FAILS_TO_INITIALIZE,
                    Fault.CAPABILITY_NULL: Outcome.ACCEPTS,
                    Fault.UNDECLARED_TOOLS: Outcome.ASKS_ALL_THE_SAME,
                    Fault.STATELESS_HANDSHAKE: Outcome.ACCEPTS,
                    Fault.UNKNOWN_REVISION: Outcome.ACCEPTS,
                    Fault.CURSOR_LOOP: Outcome.LOSES_LIST,
                },
            ),
            Fault.ENDLESS_LIST: Fact(Outcome.LOSES_LIST, _SERVERS, "after 100 pages"),
            Fault.NOT_JSON: Fact(Outcome.IGNORES, _SERVERS, "until about 0.12x: failed the handshake"),
        },
    ),
)
