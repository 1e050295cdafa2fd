"""Clients of which little more is known than where their configuration lies, a row each."""

from __future__ import annotations

from mcptap.clients.client import Client
from mcptap.clients.configuration import ConfigFile, Configuration, EntryForm, Syntax, Transport, Variables
from mcptap.clients.facts import UNKNOWN, Confidence, Fact, Origin, Source
from mcptap.clients.habits import PUBLIC_LOGS, Habits, LogFile, OwnLog

_MEDIUM, _LOW = Confidence.MEDIUM, Confidence.LOW
_PLAIN = EntryForm()


def _configuration(
    source: Source,
    files: tuple[ConfigFile, ...],
    syntax: Syntax = Syntax.JSON,
    servers_at: str = "mcpServers",
    entry: tuple[str, ...] = ("command", "args", "env"),
    form: EntryForm = _PLAIN,
    variables: Fact[Variables] = UNKNOWN,
    later_wins: Fact[bool] = UNKNOWN,
    doubt: Confidence | None = None,
) -> Configuration:
    """What one source says of where a client's configuration lies."""
    return Configuration(
        files=Fact(files, source, doubt=doubt),
        later_wins=later_wins,
        syntax=Fact(syntax, source, doubt=doubt or _MEDIUM),
        servers_at=Fact((servers_at,), source, doubt=doubt),
        entry=Fact(entry, source, doubt=doubt),
        form=Fact(form, source, doubt=doubt),
        variables=variables,
    )


_READ = "November 2026"
_WINDSURF = Source(Origin.OTHERS, "set-up pages of several vendors for Windsurf", _READ)
_KIRO = Source(Origin.DOCUMENTATION, "kiro.dev: MCP, Configuration", _READ)
_LM_STUDIO = Source(Origin.DOCUMENTATION, "lmstudio-ai/docs: 0_app/2_mcp/index.mdx", _READ)
_JUNIE = Source(Origin.DOCUMENTATION, "JetBrains Junie Help: Model Context Protocol", _READ)
_VISUAL_STUDIO = Source(Origin.DOCUMENTATION, "learn.microsoft.com: Use MCP servers (Visual Studio)", _READ)
_AMP = Source(Origin.OTHERS, "set-up pages for Amp that cite its manual", _READ)
_WARP = Source(Origin.OTHERS, "lists of clients that cite Warp's documentation", _READ)

CLIENTS = (
    Client(
        "windsurf",
        "Windsurf",
        names=r"^windsurf\b",
        configuration=_configuration(
            _WINDSURF,
            (
                ConfigFile(
                    "user",
                    "~/.codeium/windsurf/mcp_config.json",
                    windows=r"%USERPROFILE%\.codeium\windsurf\mcp_config.json",
                ),
            ),
            entry=("command", "args", "env", "disabled"),
            form=EntryForm(url={"serverUrl": Transport.REMOTE, "url": Transport.REMOTE}, disabled="disabled"),
        ),
    ),
    Client(
        "kiro",
        "Kiro",
        configuration=_configuration(
            _KIRO,
            (
                ConfigFile("user", "~/.kiro/settings/mcp.json"),
                ConfigFile("workspace", ".kiro/settings/mcp.json"),
            ),
            entry=("command", "args", "env", "disabled", "autoApprove", "disabledTools"),
            form=EntryForm(disabled="disabled"),
            variables=Fact(Variables(("${NAME}",), places=("env",)), _KIRO),
            later_wins=Fact(True, _KIRO),
        ),
    ),
    Client(
        "lm-studio",
        "LM Studio",
        configuration=_configuration(
            _LM_STUDIO,
            (ConfigFile("user", "~/.lmstudio/mcp.json", windows=r"%USERPROFILE%\.lmstudio\mcp.json"),),
            doubt=_MEDIUM,
        ),
    ),
    Client(
        "mcp-remote",
        "mcp-remote",
        habits=Habits(
            log_files=Fact(
                (LogFile("~/.mcp-auth/**/*_debug.log", windows="%USERPROFILE%\\.mcp-auth\\**\\*_debug.log"),),
                PUBLIC_LOGS,
                "only where it is started with --debug",
            ),
        ),
    ),
    Client(
        "junie",
        "JetBrains Junie",
        configuration=_configuration(
            _JUNIE,
            (ConfigFile("user", "~/.junie/mcp/mcp.json"), ConfigFile("project", ".junie/mcp/mcp.json")),
            doubt=_MEDIUM,
        ),
    ),
    Client(
        "visual-studio",
        "Visual Studio",
        configuration=_configuration(
            _VISUAL_STUDIO,
            (
                ConfigFile("user", "", windows=r"%USERPROFILE%\.mcp.json", borrowed=True),
                ConfigFile("solution", "", windows=".mcp.json", borrowed=True),
            ),
            servers_at="servers",
            entry=("type", "command", "args", "env"),
            doubt=_MEDIUM,
        ),
    ),
    Client(
        "amp",
        "Amp",
        configuration=_configuration(
            _AMP,
            (
                ConfigFile(
                    "user",
                    "~/.config/amp/settings.json",
                    windows=r"%USERPROFILE%\.config\amp\settings.json",
                ),
                ConfigFile("workspace", ".amp/settings.json"),
            ),
            Syntax.JSONC,
            servers_at='"amp.mcpServers"',
            variables=Fact(Variables(("${NAME}",)), _AMP, doubt=_LOW),
        ),
        habits=Habits(
            approval=Fact("Servers of a workspace need `amp mcp approve`", _AMP),
            log=Fact(OwnLog("amp mcp doctor"), _AMP),
        ),
    ),
    Client(
        "warp",
        "Warp",
        configuration=_configuration(
            _WARP,
            (ConfigFile("user", "~/.warp/.mcp.json"), ConfigFile("project", ".warp/.mcp.json")),
            variables=Fact(Variables(("${NAME}",)), _WARP, doubt=_LOW),
        ),
    ),
)
