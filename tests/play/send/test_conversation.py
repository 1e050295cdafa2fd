"""The conversation without a process: who waits for what, and what is handed back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.play.send.actions import EndInput, Finish, Pace, Send, Wait
from mcptap.play.send.conversation import SETTLE_US, Conversation
from mcptap.recording.format.model import Line
from mcptap.wire import SERVER_TO_CLIENT
from tests.helpers import as_bytes
from tests.play.scripts import lines, recorded
from tests.play.sessions import c2s, request, result, s2c
from tests.play.tape import notification

TIMEOUT_US = 10_000_000


class Play:
    """A conversation and its clock."""

    def __init__(self, script, pace=Pace.ANSWERED):
        self.talk = Conversation(script, pace, TIMEOUT_US)
        self.now = 1000

    def says(self, message):
        """The next thing it does is to send this."""
        action = self.talk.next(self.now)
        assert isinstance(action, Send), action
        assert json.loads(action.data) == message if isinstance(message, dict) else action.data == message

    def waits(self, until_us=None):
        action = self.talk.next(self.now)
        assert isinstance(action, Wait), action
        assert until_us is None or action.until_us == until_us

    def finishes(self):
        assert self.talk.next(self.now) == Finish()

    def hears(self, message):
        data = as_bytes(message).rstrip(b"\n")
        self.talk.take_line(Line(1, SERVER_TO_CLIENT, data, b"\n", self.now, self.now, 0), self.now)

    def later(self, us):
        self.now += us


def test_a_request_waits_for_its_own_answer():
    play = Play(lines(request(1), request(2)))
    play.says(request(1))
    play.hears(notification("notifications/message", level="info", data="x"))
    play.hears(result(2))
    play.waits(play.now + TIMEOUT_US)
    play.hears(result(1))
    play.says(request(2))
    play.hears(result(2))
    play.finishes()
    assert play.talk.outcome.unanswered == []


def test_after_a_notification_only_a_moment_passes():
    play = Play(lines(notification("notifications/initialized"), request(1)))
    play.says(notification("notifications/initialized"))
    play.waits(play.now + SETTLE_US)
    play.later(SETTLE_US)
    play.says(request(1))
    assert play.talk.outcome.unanswered == []


def test_in_a_flood_nothing_waits():
    play = Play(lines(notification("notifications/initialized"), request(1)), Pace.FLOOD)
    play.says(notification("notifications/initialized"))
    play.says(request(1))


def test_a_stray_line_is_no_answer():
    play = Play(lines(request(3), request(4)))
    play.says(request(3))
    play.hears(b"Spelling F major\n")
    play.waits(play.now + TIMEOUT_US)
    play.hears(result(3))
    play.says(request(4))


def test_after_the_time_limit_the_next_line_goes_and_the_request_counts_as_unanswered():
    play = Play(lines(request(1), request(2)))
    play.says(request(1))
    play.later(TIMEOUT_US)
    play.says(request(2))
    play.hears(result(2))
    play.finishes()
    assert [m.id for m in play.talk.outcome.unanswered] == [1]


@pytest.mark.parametrize(
    "broken", [b'> {"id": 1, "result": {}}\n', b'  "id": 1,\n', {"id": "1", "result": {}}]
)
def test_an_answer_that_no_client_can_read_is_not_waited_for_any_longer(broken):
    play = Play(lines(request(1), request(2)))
    play.says(request(1))
    play.hears(broken)
    play.waits(play.now + SETTLE_US)


def test_a_line_that_is_no_json_goes_byte_for_byte_and_may_be_refused():
    play = Play(lines(b"not\xffjson\r\n", request(1)))
    play.says(b"not\xffjson\r\n")
    play.waits(play.now + SETTLE_US)
    play.hears({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}})
    play.says(request(1))


def test_a_last_line_without_newline_gets_none():
    play = Play(lines(b'{"jsonrpc":"2.0","method":"notifications/x"}'))
    play.says(b'{"jsonrpc":"2.0","method":"notifications/x"}')


def test_the_input_ends_behind_a_last_line_without_newline_and_its_answer_is_awaited():
    data = json.dumps(request(1)).encode()
    play = Play(lines(data))
    play.says(data)
    assert play.talk.next(play.now) == EndInput()
    play.waits()
    play.hears(result(1))
    play.finishes()


def test_lines_that_are_no_messages_are_kept():
    play = Play(lines(request(1)))
    play.says(request(1))
    for line in (b"hi", b"", b"\xff"):
        play.hears(line)
    play.hears(notification("notifications/message"))
    assert [line.data for line in play.talk.outcome.pollution] == [b"hi", b"\xff"]


def test_all_requests_of_a_batch_are_waited_for():
    batch = json.dumps([request(1), request(2), notification("notifications/x")]).encode() + b"\n"
    play = Play(lines(batch, request(3)))
    play.says(batch)
    play.hears(json.dumps([result(2)]).encode())
    play.waits()
    play.hears(json.dumps([result(1)]).encode())
    play.says(request(3))


def test_a_flood_waits_only_at_the_end():
    play = Play(lines(request(1), request(2)), Pace.FLOOD)
    play.says(request(1))
    play.says(request(2))
    play.waits(play.now + TIMEOUT_US)
    play.hears(result(2))
    play.hears(result(1))
    play.finishes()


def test_when_waiting_for_one_answer_at_a_time_cannot_work_the_other_pace_is_named():
    script = recorded(c2s(request(1)), c2s(request(2)), s2c(result(2)), s2c(result(1)))
    play = Play(script)
    play.says(request(1))
    play.later(TIMEOUT_US)
    play.says(request(2))
    (note,) = play.talk.outcome.notes
    assert note.startswith("no answer to ping (id 1) within 10 s;")
    assert note.endswith("see --pace seen")


def test_requests_that_overlapped_when_recorded_do_so_again_if_asked():
    script = recorded(
        c2s(request(1)), c2s(request(2)), s2c(result(2)), s2c(result(1)), c2s(request(3)), s2c(result(3))
    )
    play = Play(script, Pace.SEEN)
    play.says(request(1))
    play.says(request(2))
    play.waits(play.now + TIMEOUT_US)
    play.hears(result(2))
    play.waits(play.now + TIMEOUT_US)
    play.hears(result(1))
    play.says(request(3))
    play.hears(result(3))
    play.finishes()


def test_the_recorded_pace_keeps_the_recorded_times():
    script = recorded(c2s(request(1), 100), s2c(result(1), 150), c2s(request(2), 400))
    play = Play(script, Pace.RECORDED)
    start = play.now
    play.waits(start + 100_000)
    play.later(100_000)
    play.says(request(1))
    play.waits(start + 400_000)
    play.later(300_000)
    play.says(request(2))


def test_the_recorded_pace_waits_for_a_value_that_is_handed_back():
    script = recorded(
        c2s(request(1, "tools/list")),
        s2c(result(1, tools=[], nextCursor="old"), 1),
        c2s(request(2, "tools/list", cursor="old"), 2),
    )
    play = Play(script, Pace.RECORDED)
    play.says(request(1, "tools/list"))
    play.later(5000)
    play.waits(play.now - 5000 + TIMEOUT_US)
    play.hears(result(1, tools=[], nextCursor="new"))
    play.says(request(2, "tools/list", cursor="new"))


def test_a_request_that_is_cancelled_later_is_waited_for_as_long_as_it_was():
    cancel = notification("notifications/cancelled", requestId=1)
    play = Play(recorded(c2s(request(1, "tools/call")), c2s(cancel, 70)))
    play.says(request(1, "tools/call"))
    play.waits(play.now + 70_000)
    play.later(70_000)
    play.says(cancel)
    play.later(SETTLE_US)
    play.finishes()
    assert play.talk.outcome.unanswered == []


def test_a_subscription_is_not_waited_for():
    play = Play(lines(request(1, "subscriptions/listen", notifications={}), request(2)))
    play.says(request(1, "subscriptions/listen", notifications={}))
    play.says(request(2))
    play.hears(result(2))
    play.finishes()
    assert play.talk.outcome.unanswered == []


def test_a_cursor_of_the_fresh_server_is_handed_back_to_it():
    script = recorded(
        c2s(request(1, "tools/list")),
        s2c(result(1, tools=[], nextCursor="old")),
        c2s(b'{"jsonrpc":"2.0", "id":2,"method":"tools/list","params":{"cursor":"old"}}\n'),
    )
    play = Play(script)
    play.says(request(1, "tools/list"))
    play.hears(result(1, tools=[], nextCursor="new"))
    play.says(b'{"jsonrpc":"2.0", "id":2,"method":"tools/list","params":{"cursor":"new"}}\n')
    assert play.talk.substitutes == {"old": "new"}


def test_a_page_that_the_fresh_server_does_not_have_is_not_asked_for():
    script = recorded(
        c2s(request(1, "tools/list")),
        s2c(result(1, tools=[], nextCursor="old")),
        c2s(request(2, "tools/list", cursor="old")),
        c2s(request(3)),
    )
    play = Play(script)
    play.says(request(1, "tools/list"))
    play.hears(result(1, tools=[]))
    play.says(request(3))
    assert len(play.talk.outcome.unsent) == 1
    assert "tools/list" in play.talk.outcome.notes[0]


def test_a_request_state_and_the_keys_of_input_requests_are_handed_back():
    ask = {"method": "elicitation/create", "params": {"message": "Sure?"}}
    answer = {"action": "accept", "content": {"old-key": 1}}
    script = recorded(
        c2s(request(1, "tools/call", name="rm")),
        s2c(result(1, resultType="input_required", inputRequests={"old-key": ask}, requestState="old")),
        c2s(request(2, "tools/call", name="rm", inputResponses={"old-key": answer}, requestState="old")),
    )
    play = Play(script)
    play.says(request(1, "tools/call", name="rm"))
    play.hears(result(1, resultType="input_required", inputRequests={"new-key": ask}, requestState="new"))
    play.says(request(2, "tools/call", name="rm", inputResponses={"new-key": answer}, requestState="new"))


def test_a_progress_token_of_the_server_is_handed_back_to_it():
    def ask(token):
        return request(5, "sampling/createMessage", messages=[], _meta={"progressToken": token})

    def progress(token):
        return notification("notifications/progress", progressToken=token, progress=1)

    script = recorded(
        c2s(request(1)), s2c(ask(41)), c2s(progress(41)), c2s(result(5, role="assistant")), s2c(result(1))
    )
    play = Play(script)
    play.says(request(1))
    play.hears(ask("fresh"))
    play.says(progress("fresh"))
    play.says(result(5, role="assistant"))
    play.hears(result(1))
    play.finishes()


def test_an_id_that_a_tool_made_is_handed_back_and_like_words_are_not():
    def text(**members):
        return [{"type": "text", "text": json.dumps(members)}]

    script = recorded(
        c2s(request(1, "tools/call", name="create")),
        s2c(result(1, content=text(noteId=41, title="draft"))),
        c2s(request(2, "tools/call", name="read", arguments={"noteId": 41, "size": 41, "title": "draft"})),
    )
    play = Play(script)
    play.says(request(1, "tools/call", name="create"))
    play.hears(result(1, content=text(noteId=57, title="final")))
    play.says(request(2, "tools/call", name="read", arguments={"noteId": 57, "size": 41, "title": "draft"}))


def test_the_server_is_answered_as_the_recorded_client_answered_it_under_its_own_id():
    script = recorded(
        c2s(request(1, "tools/call")),
        s2c(request("srv-1", "roots/list")),
        c2s(result("srv-1", roots=[{"uri": "file:///project"}])),
        s2c(result(1)),
    )
    play = Play(script)
    play.says(request(1, "tools/call"))
    play.hears(request(99, "roots/list"))
    play.says(result(99, roots=[{"uri": "file:///project"}]))
    play.hears(result(1))
    play.finishes()


def test_a_recorded_answer_waits_until_the_server_asks():
    script = recorded(
        c2s(notification("notifications/initialized")),
        s2c(request(0, "roots/list")),
        c2s(result(0, roots=[])),
        c2s(request(1)),
    )
    play = Play(script)
    play.says(notification("notifications/initialized"))
    play.later(SETTLE_US)
    play.waits(play.now + TIMEOUT_US)
    play.hears(request(7, "roots/list"))
    play.says(result(7, roots=[]))
    play.says(request(1))


def test_a_question_that_the_recorded_client_left_open_stays_open():
    script = recorded(c2s(request(1, "tools/call")), s2c(request(5, "sampling/createMessage")))
    play = Play(script)
    play.says(request(1, "tools/call"))
    play.hears(request(5, "sampling/createMessage"))
    play.waits(play.now + TIMEOUT_US)


def test_other_questions_are_refused_and_a_ping_is_answered():
    play = Play(lines(request(1, "tools/call")))
    play.says(request(1, "tools/call"))
    play.hears(request("a", "ping"))
    play.says(result("a"))
    play.hears(request("b", "elicitation/create", message="?"))
    action = play.talk.next(play.now)
    assert isinstance(action, Send)
    assert json.loads(action.data)["error"]["code"] == -32601
    assert json.loads(action.data)["id"] == "b"


def test_an_answer_among_plain_lines_goes_when_the_server_asks_with_its_id():
    script = lines(request(2, "tools/call"), result(1, roots=[]))
    play = Play(script)
    play.says(request(2, "tools/call"))
    play.hears(request(1, "roots/list"))
    play.says(result(1, roots=[]))
    play.hears(result(2))
    play.finishes()


def test_when_the_server_is_gone_the_rest_is_named_and_not_sent():
    play = Play(lines(request(1, "tools/list"), request(2, "tools/call"), notification("notifications/x")))
    play.says(request(1, "tools/list"))
    play.talk.take_end()
    play.finishes()
    outcome = play.talk.outcome
    assert [m.method for m in outcome.unanswered] == ["tools/list"]
    assert len(outcome.unsent) == 2
    assert outcome.notes == [
        "no answer to tools/list (id 1) before the server ended",
        "not sent: tools/call, notifications/x, since the server ended",
    ]


DEEP = b'{"jsonrpc":"2.0","id":7,"method":"roots/list","params":' + b'{"a":' * 900 + b"1" + b"}" * 900 + b"}"
members = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0"),
        "id": st.sampled_from([1, 2, "1", None, 1.5, True, [], {}]),
        "method": st.sampled_from(["ping", "roots/list", "x", 1, None]),
        "params": st.none() | st.lists(st.integers()) | st.dictionaries(st.text(), st.none()),
        "result": st.none()
        | st.text()
        | st.fixed_dictionaries({"nextCursor": st.none() | st.text() | st.integers()}),
        "error": st.none() | st.text() | st.dictionaries(st.text(), st.integers()),
    },
)
answers = members.map(as_bytes) | st.lists(members).map(as_bytes) | st.binary() | st.just(DEEP)


@given(st.lists(answers, max_size=8), st.sampled_from(Pace))
def test_whatever_a_server_says_the_play_comes_to_its_end(said, pace):
    script = recorded(
        c2s(request(1, "tools/list"), 1),
        s2c(DEEP, 2),
        c2s(result(7, roots=[]), 3),
        s2c(result(1, nextCursor="old"), 4),
        c2s(request(2, "tools/list", cursor="old"), 5),
        s2c(result(2), 6),
    )
    play = Play(script, pace)
    for _ in range(100):
        action = play.talk.next(play.now)
        if isinstance(action, Finish):
            return
        if isinstance(action, Wait):
            assert action.until_us > play.now
            play.now = action.until_us
        if said:
            play.hears(said.pop())
    pytest.fail("it goes on for ever")
