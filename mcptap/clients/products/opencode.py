"""opencode."""

from __future__ import annotations

from mcptap.clients.client import (
    CLOSE,
    Arguments,
    Client,
    Environment,
    Folder,
    Opening,
    Since,
    StartLimit,
    StopStep,
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
    Unset,
    Variables,
)
from mcptap.clients.facts import Fact, Origin, Source
from mcptap.clients.faults import Fault
from mcptap.clients.habits import Habits, OwnLog, TimeoutKey
from mcptap.clients.outcomes import Outcome

_RUN = Source(Origin.RUN, "run of 1.18.33: opencode mcp list", "1.18.33")
_PROGRAM = Source(Origin.SOURCE_TEXT, "text of the program", "1.18.33")


CLIENTS = (
    Client(
        "opencode",
        "opencode",
        "1.18.33",
        names=r"^opencode\b",
        cwd=Fact(WorkingDirectory(Folder.WORKSPACE, uses_entry=True), _RUN),
        arguments=Fact(Arguments(shell=False, array=True), _RUN),
        environment=Fact(Environment(), _RUN),
        opening=Fact(
            Opening(
                "2025-11-25",
                capabilities={"roots": {}},
                takes=("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"),
            ),
            _RUN,
        ),
        start_limit=Fact(StartLimit(30, Since.REQUEST), _RUN),
        stop=Fact(
            (StopStep(CLOSE, 2), StopStep("SIGTERM", 2, group=True)), _RUN, "the server's children too"
        ),
        stops_descendants=Fact(True, _RUN, "SIGTERM reached the server behind mcptap before mcptap itself"),
        configuration=Configuration(
            after_change=Fact(
                "start it anew",
                _PROGRAM,
            ),
            files=Fact(
                (
                    ConfigFile(
                        "user",
                        "~/.config/opencode/opencode.json",
                        also="opencode.jsonc",
                        moved=(Moved("XDG_CONFIG_HOME", "opencode/opencode.json", on="linux"),),
                    ),
                    ConfigFile("user", "", moved=(Moved("OPENCODE_CONFIG"),)),
                    ConfigFile("project", "opencode.json", also="opencode.jsonc", parents=Parents.TOP),
                    ConfigFile(
                        "project",
                        ".opencode/opencode.json",
                        also="opencode.jsonc",
                        parents=Parents.TOP,
                        farthest_wins=True,
                    ),
                    ConfigFile("user", "~/.opencode/opencode.json", also="opencode.jsonc"),
                ),
                _RUN,
            ),
            later_wins=Fact(True, _RUN),
            syntax=Fact(Syntax.JSONC, _RUN),
            servers_at=Fact(
                ("mcp.servers", "mcp"),
                _RUN,
                "the first by the documentation of version 2; 1.18 takes it, but no setting beside it",
            ),
            entry=Fact(("type", "command", "environment", "enabled", "cwd", "timeout"), _RUN),
            form=Fact(
                EntryForm(
                    env="environment",
                    stdio_types=("local",),
                    needs_type=True,
                    disabled="disabled",
                    enabled="enabled",
                    settings=("timeout",),
                ),
                _RUN,
                "disabled takes the place of enabled in version 2",
            ),
            variables=Fact(
                Variables(("{env:NAME}", "{file:path}"), never=("$NAME",), unset=Unset.EMPTY), _RUN
            ),
        ),
        habits=Habits(
            unreadable=Fact("does not start until the file is mended", _RUN),
            bad_entry=Fact("does not start, and names the key", _RUN),
            other_key=Fact("finds no server in the file", _RUN),
            env_takes=Fact(("string",), _RUN),
            ignored_keys=Fact({"env": "environment", "args": "command"}, _RUN),
            newer_settings=Fact(
                ("mcp.timeout",), _RUN, "does not start: it takes what stands under mcp for servers"
            ),
            timeouts=Fact((TimeoutKey("timeout", 0.001),), _RUN),
            log=Fact(OwnLog("opencode mcp list"), _RUN),
        ),
        reactions={
            **outcomes(
                _RUN,
                {
                    Fault.NOT_JSON: Outcome.IGNORES,
                    Fault.GLUED_TEXT: Outcome.WAITS,
                    Fault.BARE_VALUE: Outcome.UNHARMED,
                    Fault.MESSAGE_OVER_LINES: Outcome.WAITS,
                    Fault.BYTE_ORDER_MARK: Outcome.WAITS,
                    Fault.CRLF: Outcome.UNHARMED,
                    Fault.BLANK_LINE: Outcome.UNHARMED,
                    Fault.INVALID_UTF8: Outcome.UNHARMED,
                    Fault.NOT_A_NUMBER: Outcome.WAITS,
                    Fault.UTF16: Outcome.WAITS,
                    Fault.BATCH: Outcome.WAITS,
                    Fault.NULL_MEMBER: Outcome.WAITS,
                    Fault.RESULT_AND_ERROR: Outcome.WAITS,
                    Fault.EXTRA_MEMBER: Outcome.WAITS,
                    Fault.JSONRPC_VERSION: Outcome.WAITS,
                    Fault.ID_TYPE: Outcome.MATCHES,
                    Fault.UNKNOWN_ID: Outcome.UNHARMED,
                    Fault.DUPLICATE_RESPONSE: Outcome.UNHARMED,
                    Fault.UNKNOWN_NOTIFICATION: Outcome.UNHARMED,
                    Fault.LONG_LINE: Outcome.UNHARMED,
                    Fault.NO_INPUT_SCHEMA: Outcome.REJECTS_LIST,
                    Fault.INPUT_SCHEMA: Outcome.REJECTS_LIST,
                    Fault.TOOLS_SHAPE: Outcome.REJECTS_LIST,
                    Fault.OPENING_SHAPE: Outcome.FAILS_TO_INITIALIZE,
                    Fault.PAGE_ERROR: Outcome.LOSES_LIST,
                    Fault.CAPABILITY_SHAPE: Outcome.FAILS_TO_INITIALIZE,
                    Fault.CAPABILITY_NULL: Outcome.FAILS_TO_INITIALIZE,
                    Fault.UNDECLARED_TOOLS: Outcome.NEVER_ASKS,
                    Fault.STATELESS_HANDSHAKE: Outcome.FAILS_TO_INITIALIZE,
                    Fault.UNKNOWN_REVISION: Outcome.FAILS_TO_INITIALIZE,
                    Fault.CURSOR_LOOP: Outcome.LOSES_LIST,
                    Fault.ENDLESS_LIST: Outcome.LOSES_LIST,
                },
            ),
            Fault.NULL_FIELD: Fact(Outcome.REJECTS_LIST, _RUN, "not for outputSchema"),
        },
    ),
)
