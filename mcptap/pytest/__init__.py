"""A plugin for pytest: MCP servers in tests, behind the tap, judged when the test is over.

    def test_forecast(mcptap):
        assert "forecast" in [tool["name"] for tool in mcptap.tools()]
        assert mcptap.call("forecast", city="Oslo").text == "rain"

`mcptap` is a client whose session with the server is open; `mcptap_server(…)` starts further ones. The
server's command stands in the ini file (`mcptap_command`), behind `--mcptap-command`, or in
`@pytest.mark.mcptap("python", "server.py")`. When the test is over, each session is ended and judged as by
`mcptap check`: what it finds from the level `mcptap_fail_on` on (default: error) fails the test.

pytest imports this module in every project where mcptap is installed, so it imports nothing else of mcptap.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from mcptap.pytest.server import CallResult, NoAnswerError, RequestError, Server, ServerEndedError
    from mcptap.pytest.started import Started, StartServer

__all__ = ["CallResult", "NoAnswerError", "RequestError", "Server", "ServerEndedError"]

LEVELS = ("info", "warning", "error", "never")
MARKER = """mcptap(*command, cwd=None, env=None, revision=None, timeout=None, start_timeout=None,
capabilities=None, fail_on=None, ignore=(), expect_tool=(), forbid_tool=(), max_latency=(), max_start=None,
max_list_tokens=None): the MCP server of the fixture `mcptap`, and what fails the test"""
_STARTED: pytest.StashKey[Started] = pytest.StashKey()


def __getattr__(name: str) -> Any:
    if name in __all__:
        from mcptap.pytest import server

        return getattr(server, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options and the lines of the ini file."""
    group = parser.getgroup("mcptap", "MCP servers behind mcptap")
    group.addoption("--mcptap-command", metavar="COMMAND", help="the server's command, as for a shell")
    group.addoption(
        "--mcptap-fail-on",
        choices=LEVELS,
        help="lowest level of mcptap check that fails a test (default: error)",
    )
    parser.addini("mcptap_command", "the MCP server's command, started in the folder of the ini file", "args")
    parser.addini("mcptap_fail_on", "lowest level of mcptap check that fails a test (default: error)")
    parser.addini("mcptap_timeout", "seconds for each answer of an MCP server (default: 10)")


def pytest_configure(config: pytest.Config) -> None:
    """The marker."""
    config.addinivalue_line("markers", " ".join(MARKER.split()))


@pytest.fixture
def mcptap_server(request: pytest.FixtureRequest) -> Generator[StartServer]:
    """Starts servers: `mcptap_server("python", "server.py", cwd=…)` returns a client of each.

    The keywords are those of the marker, but for what fails the test.
    """
    from mcptap.pytest.started import Started

    started = Started(request)
    request.node.stash[_STARTED] = started
    yield started.start
    started.close()
    started.fail_on_findings()


@pytest.fixture
def mcptap(mcptap_server: StartServer) -> Server:
    """A client of the server that the marker, the command line or the ini file names."""
    return mcptap_server()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """End and judge the sessions when the test is over: findings fail it, or explain why it failed."""
    try:
        returned = yield
    except (KeyboardInterrupt, pytest.exit.Exception):
        raise
    except BaseException:
        started = item.stash.get(_STARTED, None)
        if started is not None:
            started.close()
            report = started.tell_all()
            item.add_report_section("call", "mcptap check", report)
            item.user_properties.append(("mcptap check", report))  # for JUnit, which leaves such sections out
        raise
    started = item.stash.get(_STARTED, None)
    if started is not None:
        started.close(lists=True)
        started.fail_on_findings()
    return returned
