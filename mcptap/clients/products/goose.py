"""Goose."""

from __future__ import annotations

from mcptap.clients.client import Client
from mcptap.clients.configuration import (
    ConfigFile,
    Configuration,
    EntryForm,
    Syntax,
    Transport,
)
from mcptap.clients.facts import Confidence, Fact, Origin, Source
from mcptap.clients.habits import PUBLIC_LOGS, Habits, LogFile, TimeoutKey
from mcptap.clients.libraries.rust import RUST

_SOURCE = Source(Origin.SOURCE_TEXT, "block/goose: agents/extension.rs, guides/config-files.md", "2026")

CLIENTS = (
    Client(
        "goose",
        "Goose",
        "2026",
        names=r"^goose\b",
        libraries=Fact((RUST,), _SOURCE, doubt=Confidence.MEDIUM),
        configuration=Configuration(
            files=Fact(
                (
                    ConfigFile(
                        "user",
                        "~/.config/goose/config.yaml",
                        windows=r"%APPDATA%\Block\goose\config\config.yaml",
                    ),
                ),
                _SOURCE,
            ),
            syntax=Fact(Syntax.YAML, _SOURCE),
            servers_at=Fact(("extensions",), _SOURCE),
            entry=Fact(
                (
                    *("type", "name", "cmd", "args", "envs", "env_keys", "timeout"),
                    *("enabled", "bundled", "available_tools"),
                ),
                _SOURCE,
            ),
            form=Fact(
                EntryForm(
                    command="cmd",
                    env="envs",
                    url={"uri": Transport.HTTP},
                    builtin_types=("builtin", "platform", "inline_python"),
                    needs_type=True,
                    needs_args=True,
                    enabled="enabled",
                ),
                _SOURCE,
            ),
        ),
        habits=Habits(
            log_files=Fact((LogFile("~/.local/state/goose/logs/**/*.log", windows="?"),), PUBLIC_LOGS),
            timeouts=Fact((TimeoutKey("timeout", 1, starts=True),), _SOURCE, doubt=Confidence.MEDIUM),
            dropped_variables=Fact(
                ("PATH", "PYTHONPATH", "NODE_OPTIONS", "LD_PRELOAD", "TEMP"),
                _SOURCE,
                "and others of that kind",
            ),
            rewrites=Fact(
                "`goose configure` and the desktop app rewrite the file", _SOURCE, doubt=Confidence.MEDIUM
            ),
        ),
    ),
)
