"""Limits of clients: which of them a start broke."""

from mcptap.clients.startup import LIMITS, LISTED, exceeded
from mcptap.protocol.statistics.statistics import Startup


def start(
    spawn: int | None = 0, asked: int | None = 10, answered: int | None = None, listed: int | None = None
):
    startup = Startup()
    startup.spawn_us, startup.asked_us, startup.answered_us, startup.listed_us = (
        spawn,
        asked,
        answered,
        listed,
    )
    return startup


def clients(startup: Startup, now_us: int = 0) -> list[str]:
    return [limit.client for limit, _ in exceeded(startup, now_us)]


def test_a_quick_start_breaks_no_limit():
    assert clients(start(answered=400_000, listed=500_000)) == []


def test_a_slow_answer_breaks_the_limits_below_it():
    assert clients(start(answered=12_000_000, listed=12_000_000)) == [
        "Cline CLI",
        "Codex (older versions)",
    ]


def test_a_start_without_an_answer_lasts_until_now():
    assert "Claude Code" in clients(start(), 31_000_000)
    assert clients(start(), 2_900_000) == []


def test_a_list_that_was_never_asked_for_is_no_slow_start():
    assert clients(start(answered=100_000), 3_600_000_000) == []


def test_nothing_is_said_without_a_spawn_or_a_question():
    assert clients(start(spawn=None), 10**9) == []
    assert clients(start(asked=None), 10**9) == []


def test_limits_stand_in_their_order():
    assert [limit.seconds for limit in LIMITS] == sorted(limit.seconds for limit in LIMITS)
    assert {limit.until for limit in LIMITS} >= {LISTED}
