"""The servers of one test: started as the test asks, ended and judged when it is over."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mcptap.play.client.persona import Persona
from mcptap.protocol.expectations.expectation import Expectation, expectation
from mcptap.protocol.revisions import NEWEST_HANDSHAKE, NEWEST_STATELESS
from mcptap.pytest.judging import Judged, Wanted, judge
from mcptap.pytest.server import McpError, RequestError, Server
from mcptap.pytest.tap import Tap
from mcptap.recording.paths import server_name

StartServer = Callable[..., Server]

ANSWER_S, START_S = 10.0, 30.0
"""Seconds for an answer, and for the first one of a server."""
EXPECTATIONS = ("expect_tool", "forbid_tool", "max_latency", "max_start", "max_list_tokens")
LAUNCH = ("cwd", "env", "name", "revision", "timeout", "start_timeout", "capabilities")


class Started:
    """All servers of one test. Raises pytest.UsageError if its marker can't be understood."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._config = request.config
        self._folder: Path = request.getfixturevalue("tmp_path")
        self._settings = dict[str, Any]()
        self._command: tuple[str, ...] = ()
        for marker in request.node.iter_markers("mcptap"):  # the closest one first
            self._command = self._command or marker.args
            self._settings = {**marker.kwargs, **self._settings}
        unknown = sorted(self._settings.keys() - {*LAUNCH, *EXPECTATIONS, "fail_on", "ignore"})
        if unknown:
            raise pytest.UsageError(f"@pytest.mark.mcptap has no {unknown[0]!r}")
        self._wanted = _wanted(self._config, self._settings)
        self._servers: list[Server] = []
        self._judged: list[Judged] = []
        self._count = 0
        self._is_told = False

    def start(self, *command: str, **settings: Any) -> Server:
        """Start a server and open the session. Fails the test if that can't be done."""
        __tracebackhide__ = True
        unknown = sorted(settings.keys() - set(LAUNCH))
        if unknown:
            raise TypeError(f"mcptap_server takes no {unknown[0]!r}; it takes {', '.join(LAUNCH)}")
        usual = {name: value for name, value in self._settings.items() if name in LAUNCH}
        launch = {**usual, **settings} if not command else settings
        words = _words(command or self._command) or _configured(self._config)
        revision = launch.get("revision")
        server = self._server(words, launch)
        try:
            try:
                server.open(revision or NEWEST_HANDSHAKE)
            except RequestError:
                if revision is not None:
                    raise
                server = self._of_other_era(server, words, launch)
        except McpError as error:
            failure = str(error)
        else:
            return server
        self.close()
        pytest.fail(f"{server.name}: {failure}\n\n{self.tell_all()}", pytrace=False)

    def _server(self, words: Sequence[str], launch: Mapping[str, Any]) -> Server:
        tap = self._tap(words, launch)
        timeout_s = launch.get("timeout") or _seconds(self._config) or ANSWER_S
        start_s = launch.get("start_timeout") or max(START_S, timeout_s)
        server = Server(tap, timeout_s, start_s, Persona(capabilities=launch.get("capabilities") or {}))
        self._servers.append(server)
        return server

    def _of_other_era(self, refusing: Server, words: Sequence[str], launch: Mapping[str, Any]) -> Server:
        """A server that refused `initialize`, started anew and opened without it.

        The session that it refused is judged only if it refuses the other as well.
        """
        refusing.close()
        server = self._server(words, launch)
        server.open(NEWEST_STATELESS)
        self._servers.remove(refusing)
        return server

    def _tap(self, words: Sequence[str], launch: Mapping[str, Any]) -> Tap:
        name = launch.get("name") or server_name(words)
        self._count += 1
        number = "" if self._count == 1 else f"-{self._count}"
        recording = self._folder / "mcptap" / f"{name}{number}.jsonl"
        recording.parent.mkdir(exist_ok=True)
        cwd = str(launch.get("cwd") or self._config.rootpath)
        try:
            return Tap(words, recording, name, cwd, {**os.environ, **(launch.get("env") or {})})
        except OSError as error:
            pytest.fail(f"the server can't be started in {cwd}: {error.strerror}", pytrace=False)

    def close(self, *, lists: bool = False) -> None:
        """End all servers, and judge their sessions; `lists`: first for tools, if any are expected."""
        for server in self._servers[len(self._judged) :]:
            if lists and self._wanted.needs_list and not server.has_listed:
                with suppress(McpError):  # that is then told as what could not be judged
                    server.tools()
            server.close()
            self._judged.append(judge(server.name, server.recording, self._wanted))

    def tell_all(self) -> str:
        """What is said of all sessions, which is then no reason any more to fail the test."""
        self._is_told = True
        return "\n\n".join(judged.text for judged in self._judged)

    def fail_on_findings(self) -> None:
        """Fail the test for what was found, once."""
        __tracebackhide__ = True
        failing = [judged.text for judged in self._judged if judged.fails]
        if failing and not self._is_told:
            self._is_told = True
            pytest.fail("\n\n".join(failing), pytrace=False)


def _configured(config: pytest.Config) -> Sequence[str]:
    """The command of the command line, or of the ini file."""
    given = config.getoption("--mcptap-command")
    words = shlex.split(given) if given else config.getini("mcptap_command")
    if not words:
        pytest.fail(
            "which MCP server? Name its command: mcptap_command in the ini file, --mcptap-command, or "
            '@pytest.mark.mcptap("python", "server.py")',
            pytrace=False,
        )
    return list(words)


def _words(command: Sequence[Any]) -> list[str]:
    """The words of a command; one that is alone and has spaces is read as by a shell."""
    words = [os.fspath(word) for word in command]
    return shlex.split(words[0]) if len(words) == 1 and " " in words[0] else words


def _seconds(config: pytest.Config) -> float | None:
    text = config.getini("mcptap_timeout")
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < 1e6:
        raise pytest.UsageError(f"mcptap_timeout is {text!r}; it has to be a number of seconds")
    return value


def _wanted(config: pytest.Config, settings: Mapping[str, Any]) -> Wanted:
    """What fails the test: by its marker, the command line, the ini file, and the project's own settings."""
    fail_on = (
        settings.get("fail_on") or config.getoption("--mcptap-fail-on") or config.getini("mcptap_fail_on")
    )
    ignore = settings.get("ignore", ())
    ignore = (ignore,) if isinstance(ignore, str) else tuple(ignore)
    expected = [one for name in EXPECTATIONS if name in settings for one in _expected(name, settings[name])]
    try:
        return Wanted.of(str(config.rootpath), fail_on, ignore, expected)
    except ValueError as error:
        raise pytest.UsageError(str(error)) from error


def _expected(name: str, given: Any) -> list[Expectation]:
    values = given if isinstance(given, list | tuple) else [given]
    try:
        return [expectation(name.replace("_", "-"), str(value)) for value in values]
    except ValueError as error:
        raise pytest.UsageError(f"@pytest.mark.mcptap({name}=…): {error}") from error
