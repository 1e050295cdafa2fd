"""How a server is stopped and how an end is told, without a server."""

import signal

import pytest

from mcptap.clients.client import CLOSE, StopStep
from mcptap.play.server.stop import Exit, signal_name, signal_number, stop_sequence


def test_a_server_is_given_the_end_of_input_before_a_signal():
    assert stop_sequence(5, 1) == (StopStep(CLOSE, 5), StopStep("SIGTERM", 1, group=True))


@pytest.mark.parametrize(
    ("end", "status", "text"),
    [
        (Exit(0, None), 0, "0"),
        (Exit(3, None), 3, "3"),
        (Exit(None, "SIGKILL"), 137, "SIGKILL"),
        (Exit(None, "SIG40"), 168, "SIG40"),
    ],
)
def test_an_end_has_the_status_of_a_shell_and_is_told_by_code_or_signal(end, status, text):
    assert (end.status, str(end)) == (status, text)


@pytest.mark.parametrize("number", range(1, 65))
def test_every_signal_has_a_name_that_leads_back_to_it(number):
    assert signal_number(signal_name(number)) == number


def test_a_name_of_another_system_stands_for_term():
    assert signal_number("SIGNOSUCH") == signal.SIGTERM
