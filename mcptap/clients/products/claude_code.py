"""Claude Code."""

from __future__ import annotations

from mcptap.clients.client import (
    Arguments,
    Client,
    Environment,
    Folder,
    Opening,
    RequestLimit,
    ResultLimit,
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
from mcptap.clients.habits import PUBLIC_LOGS, Habits, LogFile, NameForm, OwnLog, TimeoutKey
from mcptap.clients.outcomes import Outcome

_RUN = Source(Origin.RUN, "run of 2.1.332 on Linux", "2.1.332")
_PROGRAM = Source(
    Origin.SOURCE_TEXT,
    "program text of 2.1.332; anthropics/claude-code: CHANGELOG.md, issues 43177 and 82746",
    "2.1.332",
)
_MOVED = (Moved("CLAUDE_CONFIG_DIR", ".claude.json"),)

CLIENTS = (
    Client(
        "claude-code",
        "Claude Code",
        "2.1.332",
        names=r"^claude[- ]code\b|^claude$",
        cwd=Fact(WorkingDirectory(Folder.START, uses_entry=False), _RUN),
        arguments=Fact(
            Arguments(shell=False, expands_tilde=False),
            _RUN,
            "a relative program is taken from its start folder, a bare name from the entry's PATH",
        ),
        environment=Fact(
            Environment(
                adds={
                    "CLAUDECODE": "1",
                    "CLAUDE_PROJECT_DIR": "{cwd}",
                    "CLAUDE_CODE_SESSION_ID": "00000000-0000-4000-8000-000000000000",
                }
            ),
            _RUN,
            "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB=1 takes credentials out",
        ),
        opening=Fact(
            Opening(
                "2025-11-25",
                discovers=True,
                discover_wait_s=3,
                discover_id="server-discover-probe-1",
                takes=("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"),
                capabilities={"roots": {"listChanged": True}, "elicitation": {"form": {}, "url": {}}},
                asks_again=True,
            ),
            _RUN,
            "server/discover has a string for an id; which one may differ. If it is not answered in time and "
            "initialize is refused, it is sent once more, and then initialize alone to a fresh process",
        ),
        start_limit=Fact(StartLimit(30, Since.SPAWN, setting="MCP_TIMEOUT"), _RUN),
        request_limit=Fact(
            RequestLimit(100_000, without_progress_s=1800, background_s=120),
            _PROGRAM,
            "MCP_TOOL_TIMEOUT, CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT, and timeout in the entry from 1000 ms on",
        ),
        stop=Fact(
            (StopStep("SIGINT", 0.1), StopStep("SIGTERM", 0.4)),
            _RUN,
            "stdin stays open; only the started process gets the signals",
        ),
        longest_line=Fact(16 << 20, _RUN),
        largest_result=Fact(ResultLimit(25_000, "MAX_MCP_OUTPUT_TOKENS"), _PROGRAM),
        configuration=Configuration(
            after_change=Fact(
                "reconnect the server in /mcp, or start it anew; it does not ask for approval again",
                _PROGRAM,
            ),
            files=Fact(
                (
                    ConfigFile("user", "~/.claude.json", at=("mcpServers",), moved=_MOVED),
                    ConfigFile("project", ".mcp.json", at=("mcpServers",), parents=Parents.ALL),
                    ConfigFile("local", "~/.claude.json", at=("projects.*.mcpServers",), moved=_MOVED),
                ),
                _RUN,
                ".mcp.json counts once approved; local scope is that of the repository's main folder, and "
                "without a repository that of the start folder",
            ),
            later_wins=Fact(True, _RUN),
            syntax=Fact(Syntax.JSON, _RUN, "a comment or trailing comma loses the whole file"),
            servers_at=Fact(("mcpServers", "projects.*.mcpServers"), _RUN),
            entry=Fact(("type", "command", "args", "env", "timeout", "alwaysLoad"), _RUN),
            form=Fact(EntryForm(), _RUN, "an entry with url and no type is skipped"),
            variables=Fact(
                Variables(
                    ("${NAME}", "${NAME:-default}"),
                    never=("$NAME", "~"),
                    unset=Unset.TEXT,
                    places=("command", "args", "env"),
                ),
                _RUN,
                "in command, args, env, url and headers; CLAUDE_PROJECT_DIR is set for the server alone",
            ),
        ),
        habits=Habits(
            log_files=Fact(
                (
                    LogFile(
                        "~/.cache/claude-cli-nodejs/*/mcp-logs-*/*.jsonl",
                        macos="~/Library/Caches/claude-cli-nodejs/*/mcp-logs-*/*.jsonl",
                        windows="%LOCALAPPDATA%\\claude-cli-nodejs\\Cache\\*\\mcp-logs-*\\*.jsonl",
                    ),
                    LogFile("~/.claude/debug/*.txt"),
                ),
                PUBLIC_LOGS,
            ),
            unreadable=Fact(
                "takes no server from the file",
                _RUN,
                "where that is .claude.json, it calls it corrupted, and puts a copy into ~/.claude/backups",
            ),
            bad_entry=Fact("skips the entry with a warning, and takes the others", _RUN),
            empty_file=Fact("takes it for a file without servers", _RUN, "2.1.197 called it no valid JSON"),
            duplicate=Fact("takes the last one and says nothing", _RUN),
            other_key=Fact("finds no server in the file", _RUN),
            url_without_type=Fact("skips the entry with a warning", _RUN),
            names=Fact(
                NameForm(r"[A-Za-z0-9_-]+", "of letters, digits, - and _"),
                _PROGRAM,
                "`claude mcp add` takes no others",
            ),
            timeouts=Fact((TimeoutKey("timeout", 0.001, least=1000),), _PROGRAM),
            env_takes=Fact(("string",), _RUN),
            ignored_keys=Fact({"disabled": ""}, _RUN),
            tool_prefix=Fact("mcp__{server}__", _PROGRAM),
            server_variables=Fact(("CLAUDE_PROJECT_DIR", "CLAUDE_CODE_SESSION_ID"), _RUN),
            rewrites=Fact("`claude mcp add` and `remove` indent the file anew", _RUN),
            rewritten_often=Fact(".claude.json", _RUN),
            log=Fact(
                OwnLog(
                    "~/.cache/claude-cli-nodejs/<folder>/mcp-logs-<server>/",
                    macos="~/Library/Caches/claude-cli-nodejs/",
                    windows="?",
                ),
                _RUN,
            ),
            approval=Fact(
                "Claude Code starts a project's servers once they were approved, by their names alone",
                _RUN,
            ),
        ),
        reactions={
            **outcomes(
                _RUN,
                {
                    Fault.NOT_JSON: Outcome.NOTES_IN_LOG,
                    Fault.GLUED_TEXT: Outcome.WAITS,
                    Fault.BARE_VALUE: Outcome.UNHARMED,
                    Fault.MESSAGE_OVER_LINES: Outcome.WAITS,
                    Fault.CRLF: Outcome.UNHARMED,
                    Fault.BLANK_LINE: Outcome.UNHARMED,
                    Fault.INVALID_UTF8: Outcome.UNHARMED,
                    Fault.NOT_A_NUMBER: Outcome.WAITS,
                    Fault.UTF16: Outcome.WAITS,
                    Fault.BATCH: Outcome.WAITS,
                    Fault.NULL_MEMBER: Outcome.FAILS_REQUEST,
                    Fault.RESULT_AND_ERROR: Outcome.FAILS_REQUEST,
                    Fault.EXTRA_MEMBER: Outcome.WAITS,
                    Fault.JSONRPC_VERSION: Outcome.WAITS,
                    Fault.ID_TYPE: Outcome.MATCHES,
                    Fault.UNKNOWN_ID: Outcome.UNHARMED,
                    Fault.DUPLICATE_RESPONSE: Outcome.UNHARMED,
                    Fault.UNKNOWN_NOTIFICATION: Outcome.UNHARMED,
                    Fault.NULL_FIELD: Outcome.REJECTS_LIST,
                    Fault.NO_INPUT_SCHEMA: Outcome.REJECTS_LIST,
                    Fault.INPUT_SCHEMA: Outcome.REJECTS_LIST,
                    Fault.TOOLS_SHAPE: Outcome.REJECTS_LIST,
                    Fault.OPENING_SHAPE: Outcome.FAILS_TO_INITIALIZE,
                    Fault.CAPABILITY_SHAPE: Outcome.FAILS_TO_INITIALIZE,
                    Fault.CAPABILITY_NULL: Outcome.FAILS_TO_INITIALIZE,
                    Fault.UNDECLARED_TOOLS: Outcome.NEVER_ASKS,
                    Fault.STATELESS_HANDSHAKE: Outcome.FAILS_TO_INITIALIZE,
                    Fault.UNKNOWN_REVISION: Outcome.FAILS_TO_INITIALIZE,
                },
            ),
            Fault.SERVER_EXIT: Fact(Outcome.NEVER_RESTARTS, _PROGRAM, "/mcp does"),
            Fault.TOOL_NAME: Fact(Outcome.REPLACES_CHARACTERS, _PROGRAM),
        },
    ),
)
