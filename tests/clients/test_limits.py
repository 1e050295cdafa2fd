"""Start limits of clients: which of them a start broke."""

from mcptap.clients.client import Until
from mcptap.clients.limits import START_LIMITS, exceeded, shortest
from mcptap.protocol.statistics.startup import Startup


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
    broken = clients(start(answered=12_000_000, listed=12_000_000))
    assert {"Cline CLI", "Codex (older versions)"} <= set(broken)
    assert "Claude Code" not in broken


def test_a_limit_counts_from_the_spawn_or_from_the_request():
    late = start(asked=25_000_000, answered=27_000_000, listed=28_000_000)
    assert {"Codex (older versions)", "Continue"} <= set(clients(late))
    assert "Cline CLI" not in clients(late)


def test_a_limit_for_the_tool_list_counts_until_it_has_come():
    broken = clients(start(answered=100_000, listed=11_000_000))
    assert "Codex (older versions)" in broken
    assert "Cline CLI" not in broken


def test_a_start_without_an_answer_lasts_until_now():
    assert "Claude Code" in clients(start(), 31_000_000)
    assert clients(start(), round(shortest().seconds * 900_000)) == []


def test_a_list_that_was_never_asked_for_is_no_slow_start():
    assert clients(start(answered=100_000), 3_600_000_000) == []


def test_nothing_is_said_without_a_spawn_or_a_question():
    assert clients(start(spawn=None), 10**9) == []
    assert clients(start(asked=None), 10**9) == []


def test_limits_stand_in_their_order():
    assert [limit.seconds for limit in START_LIMITS] == sorted(limit.seconds for limit in START_LIMITS)
    assert {limit.limit.until for limit in START_LIMITS} == set(Until)
    assert shortest().seconds == min(limit.seconds for limit in START_LIMITS)


def test_clients_with_the_same_limit_stand_together():
    sixty = next(limit for limit in START_LIMITS if limit.seconds == 60)
    assert "Roo Code, Zed, TypeScript SDK, C# SDK" in sixty.client
    assert sixty.words.endswith(" (60 s for the answer to initialize)")
