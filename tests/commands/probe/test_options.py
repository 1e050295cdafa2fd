"""What the options of `mcptap probe` mean."""

from __future__ import annotations

import pytest

from mcptap.commands.probe.options import allowed_by, client_of, connection_settings, parser, start_of
from mcptap.errors import UserError


def parsed(*arguments: str):
    return parser().parse_args([*arguments, "--", "server", "-v"])


def test_calls_have_their_arguments_and_whether_they_are_cancelled():
    allowed = allowed_by(parsed("--call", "a", '{"x": 1}', "--cancel", "b", "{}", "--wrong-arguments", "c"))
    assert (allowed.wrong_arguments, allowed.read_only) == (("c",), False)
    assert [(call.name, call.arguments, call.cancel) for call in allowed.calls] == [
        ("a", {"x": 1}, False),
        ("b", {}, True),
    ]


def test_the_entry_has_the_variables_that_were_given():
    start = start_of(parsed("--env", "A=1=2", "--cwd", "/tmp"))
    assert (start.entry, start.base.cwd, start.base.argv) == ({"A": "1=2"}, "/tmp", ["server", "-v"])


def test_times_are_those_that_were_given():
    options = parsed("--timeout", "1", "--start-timeout", "2", "--call-timeout", "3", "--record", "x")
    settings = connection_settings(options, start_of(options).own)
    assert (settings.timeout_s, settings.start_s, settings.call_s, settings.record) == (1, 2, 3, "x")


def test_a_client_that_is_not_known_is_said():
    assert client_of("codex").name == "Codex"
    with pytest.raises(UserError, match="--as list"):
        client_of("no-such-client")
