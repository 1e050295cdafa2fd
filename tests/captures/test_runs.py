"""Which sessions one client started."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.runs import runs_of
from mcptap.captures.summary import Summary
from mcptap.recording.reader import State
from tests.tui.recordings.made import summary

OTHER = {"pid": 8, "name": "agent"}


def names(*summaries: Summary) -> list[list[str]]:
    return [[s.name for s in run.sessions] for run in runs_of(summaries)]


def test_sessions_of_one_process_that_lived_at_one_time_are_a_run():
    assert names(summary("b", 1), summary("a"), summary("c", 14)) == [["a", "b", "c"]]


def test_what_the_same_process_started_long_after_the_others_ended_is_another_run():
    assert names(summary("a"), summary("a", 60)) == [["a"], ["a"]]


def test_a_pid_that_was_used_again_is_another_client():
    first, later = ({"pid": 7, "name": "agent", "start": ticks} for ticks in (5, 900))
    assert names(summary("a", parent=first), summary("a", 4, parent=later)) == [["a"], ["a"]]
    assert names(summary("a", parent=first), summary("a", 4, parent=first)) == [["a", "a"]]


def test_a_server_that_was_started_anew_while_another_one_lived_is_of_the_same_run():
    long = summary("a", length_us=600_000_000)
    assert names(long, summary("b", 1), summary("b", 300)) == [["a", "b", "b"]]


def test_servers_behind_launchers_of_their_own_are_a_run_if_one_client_started_them_together():
    assert names(summary("a"), summary("b", 1, parent=OTHER)) == [["a", "b"]]


def test_two_windows_of_one_client_are_two_runs_since_both_have_the_same_server():
    assert names(summary("a"), summary("a", 1, parent=OTHER)) == [["a"], ["a"]]


def test_other_clients_are_other_runs_however_near():
    assert names(summary("a"), summary("b", parent=OTHER, client_name="other")) == [["a"], ["b"]]
    assert names(summary("a"), summary("b", 4, parent=OTHER)) == [["b"], ["a"]]
    assert names(*(summary(n, parent={}, client_name="") for n in "ab")) == [["a"], ["b"]]


def test_what_mcptap_played_is_of_no_run():
    played = {"pid": 7, "name": "mcptap send"}
    assert names(summary("a"), summary("b", parent=played), summary("c", parent=played)) == [
        ["a"],
        ["b"],
        ["c"],
    ]


def test_a_run_has_the_name_of_its_client_its_servers_and_its_time():
    (run,) = runs_of([summary("a", client_name=""), summary("b", 2, state=State.LIVE)])
    assert (run.client, run.servers) == ("agent 1.0", ["a", "b"])
    assert run.end_wall_us - run.start_wall_us == 7_000_000
    assert run.holds(run.sessions[1].path)
    assert not run.holds("/elsewhere")


@given(
    st.lists(
        st.builds(
            lambda name, at, pid: summary(name, at, parent={"pid": pid, "name": "agent"}),
            st.sampled_from("abc"),
            st.integers(0, 60),
            st.integers(1, 3),
        ),
        max_size=12,
    )
)
def test_every_session_is_of_one_run_and_all_is_in_order(sessions):
    runs = runs_of(sessions)
    found = [s for run in runs for s in run.sessions]
    assert sorted(map(id, found)) == sorted(map(id, sessions))
    assert [r.start_wall_us for r in runs] == sorted((r.start_wall_us for r in runs), reverse=True)
    for run in runs:
        starts = [s.start_wall_us for s in run.sessions]
        assert starts == sorted(starts)
