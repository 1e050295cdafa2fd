"""What a recorded server did, hung on what it was asked."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.play.mock.server_script import (
    AwaitResponse,
    Exit,
    PlaceholderKind,
    Reaction,
    ServerScript,
    Write,
    id_key,
    other_type,
    script_of,
)
from tests.play.tape import Tape, add, as_line, handshake, healthy, notification, request, result


@pytest.fixture
def scripted(tmp_path: Path):
    def make(tape: Tape) -> ServerScript:
        return script_of(tape.items(tmp_path / "tape.jsonl"))

    return make


def written(reaction: Reaction) -> list[bytes]:
    return [step.data for step in reaction.steps if isinstance(step, Write)]


def places(step: Write) -> list[tuple[bytes, PlaceholderKind]]:
    return [(step.data[p.start : p.end], p.kind) for p in step.placeholders]


@given(st.integers() | st.text())
def test_an_id_of_another_type_is_json_and_of_another_type_where_that_is_possible(value):
    changed = json.loads(other_type(value))
    assert type(changed) is not type(value)
    assert id_key(value) == json.dumps(value)


def test_a_number_and_its_text_are_each_other():
    assert (other_type(1), other_type("1"), other_type("a")) == (b'"1"', b"1", b"0")


def test_every_line_of_the_server_belongs_to_one_reaction_in_its_order(scripted):
    tape = healthy()
    script = scripted(tape)
    assert [r.message.method for r in script.reactions] == [
        "initialize",
        "notifications/initialized",
        "tools/list",
        "tools/call",
        "tools/call",
    ]
    assert [len(written(r)) for r in script.reactions] == [1, 0, 1, 1, 1]
    assert script.end.steps == [Exit(script.end.steps[0].after_us, 0)]


def test_what_comes_before_the_first_line_is_the_start(scripted):
    script = scripted(Tape().server(b"ready\n").stderr("log").client(request(1, "ping")))
    assert [(s.channel, s.data) for s in script.start.steps] == [("s2c", b"ready\n"), ("stderr", b"log\n")]


def test_an_answer_belongs_to_its_request_though_others_came_between(scripted):
    tape = Tape().client(request(1, "a")).client(request(2, "b")).server(result(1)).server(result(2))
    first, second = scripted(tape).reactions
    assert (written(first), written(second)) == ([as_line(result(1))], [as_line(result(2))])
    assert [step.after_us for step in (*first.steps, *second.steps)] == [20_000, 20_000]
    assert all(step.is_answer for step in (*first.steps, *second.steps))


def test_the_id_of_an_answer_is_a_placeholder_with_its_type_as_it_was(scripted):
    tape = Tape().client(request(1, "a")).server(result(1)).client(request(2, "b")).server(result("2"))
    first, second = scripted(tape).reactions
    assert places(first.steps[0]) == [(b"1", PlaceholderKind.ID)]
    assert places(second.steps[0]) == [(b'"2"', PlaceholderKind.ID_OF_OTHER_TYPE)]


def test_progress_belongs_to_the_request_that_gave_the_token(scripted):
    tape = Tape().client(add(1, 1, 2, progressToken="t")).client(request(2, "ping"))
    tape.server(notification("notifications/progress", progressToken="t", progress=1))
    first, second = scripted(tape).reactions
    assert places(first.steps[0]) == [(b'"t"', PlaceholderKind.TOKEN)]
    assert second.steps == []


def test_a_line_that_holds_an_id_that_is_open_belongs_to_that_request(scripted):
    tape = Tape().client(request(1, "a")).client(request(2, "b"))
    tape.server(b'log {"id": 1, "result"\n').server(b"no id\n")
    first, second = scripted(tape).reactions
    assert places(first.steps[0]) == [(b"1", PlaceholderKind.ID)]
    assert written(second) == [b"no id\n"]


def test_what_a_reply_of_the_client_sets_off_goes_on_where_the_server_asked(scripted):
    tape = (
        Tape().client(request(1, "a")).server(request("s", "roots/list")).client(result("s")).server(b"on\n")
    )
    (reaction,) = scripted(tape).reactions
    asked, waits, goes_on = reaction.steps
    assert waits == AwaitResponse('"s"')
    assert (asked.after_us, goes_on.after_us) == (10_000, 10_000)


def test_the_end_that_a_server_takes_itself_belongs_to_the_line_that_it_came_with(scripted):
    tape = Tape().client(request(1, "a")).eof("s2c").eof("c2s").event("exit", code=3, us=1)
    script = scripted(tape)
    assert [step.code for step in script.reactions[0].steps] == [3]
    assert script.end.steps == []


@pytest.mark.parametrize(
    ("signals", "end", "ends_at_eof", "ignores_term"),
    [
        (["SIGTERM"], {"signal": "SIGTERM"}, False, False),
        (["SIGTERM", "SIGKILL"], {"signal": "SIGKILL"}, False, True),
        (["SIGKILL"], {"signal": "SIGKILL"}, False, False),
    ],
)
def test_a_server_that_was_ended_stays_as_it_stayed(scripted, signals, end, ends_at_eof, ignores_term):
    tape = handshake(Tape()).eof("c2s")
    for name in signals:
        tape.event("signal", signal=name, sender=1, forwarded=True)
    script = scripted(tape.event("exit", us=1, **end))
    assert (script.ends_at_eof, script.ignores_term, script.end.steps) == (ends_at_eof, ignores_term, [])


lines = st.binary(max_size=20).map(lambda data: data + b"\n") | st.sampled_from(
    [
        as_line(m)
        for m in (request(1, "ping"), result(1), result("1"), notification("x"), [result(1)], result(None))
    ]
)


@given(st.lists(st.tuples(st.booleans(), lines), max_size=12))
def test_no_byte_of_a_recorded_server_is_lost(tmp_path_factory, rows):
    tape = Tape()
    for from_client, data in rows:
        (tape.client if from_client else tape.server)(data)
    script = script_of(tape.items(tmp_path_factory.mktemp("tape") / "tape.jsonl"))
    everything = [data for r in (script.start, *script.reactions, script.end) for data in written(r)]
    assert sorted(everything) == sorted(
        piece + b"\n" for from_client, data in rows if not from_client for piece in data[:-1].split(b"\n")
    )


def test_what_was_diverted_is_played_as_the_server_wrote_it(scripted):
    glued = 'log {"jsonrpc":"2.0","id":1,"result":{}}'
    tape = Tape().client(request(1, "a")).event("line", ch="s2c", diverted=4, text=glued)
    (reaction,) = scripted(tape).reactions
    assert written(reaction) == [glued.encode() + b"\n"]
    assert places(reaction.steps[0]) == [(b"1", PlaceholderKind.ID)]
