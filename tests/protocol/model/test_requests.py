"""Which request an answer belongs to, told by `Requests` alone, without a session."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.protocol.model.message import Kind, Match, classify
from mcptap.protocol.model.request import RequestState
from mcptap.protocol.model.requests import KEEP_PARAMS_BYTES, RECENT, Requests, outcome
from tests.diagnosis.sessions import line

ASK, ANSWER, FAIL = {"method": "ping"}, {"result": {}}, {"error": {"code": -32601, "message": "no"}}
ASKED, ANSWERED = ("c2s", {"id": 1, **ASK}), ("s2c", {"id": 1, **ANSWER})
CANCEL = {"method": "notifications/cancelled", "params": {"requestId": 1, "reason": "enough"}}


def played(*sent, requests=None):
    """The messages after `Requests` took them, each given as channel and members."""
    requests = requests or Requests()
    messages = []
    for number, (channel, members) in enumerate(sent, 2):
        data = members if isinstance(members, bytes) else json.dumps({"jsonrpc": "2.0", **members}).encode()
        message = classify(line(number, channel, data))
        requests.take(message)
        messages.append(message)
    return messages


@pytest.mark.parametrize(
    ("answer", "state", "code"),
    [
        (ANSWER, RequestState.ANSWERED, None),
        (FAIL, RequestState.ERROR, -32601),
        ({"result": {"isError": True}}, RequestState.IS_ERROR, None),
        ({"result": None, "error": None}, RequestState.ANSWERED, None),
    ],
)
def test_an_answer_finds_its_request_and_tells_what_became_of_it(answer, state, code):
    asked, answered = played(ASKED, ("s2c", {"id": 1, **answer}))
    request = asked.request
    assert answered.request is request
    assert answered.method == "ping"
    assert (request.state, request.answer, request.error_code) == (state, answered.number, code)
    assert outcome(answered) is state


def test_ids_of_the_two_sides_are_apart():
    mine, theirs, answer = played(
        ASKED, ("s2c", {"id": 1, "method": "roots/list"}), ("c2s", {"id": 1, **ANSWER})
    )
    assert answer.request is theirs.request
    assert mine.request.state is RequestState.PENDING


@pytest.mark.parametrize(
    ("sent", "match"),
    [
        ([ANSWERED], Match.UNKNOWN),
        ([ASKED, ("s2c", {"id": "1", **ANSWER})], Match.OTHER_TYPE),
        ([ASKED, ANSWERED, ANSWERED], Match.DUPLICATE),
        ([("c2s", {"method": "notifications/x"}), ("s2c", {"id": 0, **ANSWER})], Match.TO_NOTIFICATION),
        ([("c2s", {"method": "notifications/x"}), ("s2c", {"id": None, **FAIL})], Match.TO_NOTIFICATION),
        ([ASKED, ASKED], Match.REUSED_OPEN),
        ([ASKED, ANSWERED, ASKED], Match.REUSED),
        ([("c2s", {"method": "notifications/cancelled", "params": {"requestId": 7}})], Match.UNKNOWN),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_how(sent, match):
    assert played(*sent)[-1].match is match


def test_a_cancelled_request_stays_cancelled_when_its_answer_comes():
    asked, cancelled, _ = played(ASKED, ("c2s", CANCEL), ANSWERED)
    request = asked.request
    assert cancelled.request is request
    assert (request.state, request.cancel_reason, request.answer) == (RequestState.CANCELLED, "enough", 4)


@pytest.mark.parametrize(
    "answer", [{"jsonrpc": "1.0", "id": 1, "result": {}}, {"id": 1, "result": {}, "error": {}}, {"id": 1}]
)
def test_an_answer_that_no_client_can_read_loses_its_request(answer):
    asked, lost = played(ASKED, ("s2c", answer))
    assert asked.request.state is RequestState.UNREADABLE
    assert lost.lost


def test_an_error_without_id_speaks_of_the_last_line_that_could_not_be_read():
    *_, error = played(("c2s", b"{oops"), ASKED, ("s2c", {"id": None, **FAIL}))
    assert error.about == 2


def test_a_message_inside_a_broken_line_counts_and_is_unreadable():
    requests = Requests()
    asked, inner = (
        classify(line(n, ch, json.dumps({"jsonrpc": "2.0", "id": 1, **members}).encode()))
        for n, ch, members in ((2, "c2s", ASK), (3, "s2c", ANSWER))
    )
    assert requests.take_embedded(asked)
    assert not requests.take_embedded(asked)
    assert asked.request.state is RequestState.UNREADABLE
    assert requests.take_embedded(inner)
    assert inner.request is asked.request
    assert not requests.unanswered()


def test_what_is_kept_does_not_grow_with_the_session():
    requests = Requests()
    sent = [
        part for n in range(2 * RECENT) for part in (("c2s", {"id": n, **ASK}), ("s2c", {"id": n, **ANSWER}))
    ]
    big = {"id": -1, "method": "tools/call", "params": {"name": "t", "x": "y" * KEEP_PARAMS_BYTES}}
    sent += [("s2c", {"id": 2 * RECENT - 1, **ANSWER}), ("s2c", {"id": 0, **ANSWER}), ("c2s", big)]
    *_, late, early, asked = played(*sent, requests=requests)
    assert late.request is not None
    assert (early.match, early.request) == (Match.DUPLICATE, None)
    assert asked.request.params is None
    assert asked.request.tool == "t"
    assert list(requests.open["c2s"]) == [-1]


steps = st.tuples(
    st.sampled_from(["c2s", "s2c"]),
    st.builds(
        lambda key, rest: {"id": key, **rest} if key is not None else rest,
        st.none() | st.integers(0, 2) | st.sampled_from(["1", "a"]),
        st.sampled_from([ASK, ANSWER, FAIL, CANCEL, {}]),
    ),
)


@given(st.lists(steps, max_size=20))
def test_each_request_is_answered_readably_once_and_by_the_other_side(sent):
    requests = Requests()
    messages = played(*sent, requests=requests)
    answers = [m for m in messages if m.kind is Kind.RESPONSE and m.match is None and m.request is not None]
    assert len({id(m.request) for m in answers}) == len(answers)
    for message in answers:
        assert message.request.channel != message.channel
        assert message.request.id == message.id
        assert message.request.answer == message.number
    waiting = requests.unanswered()
    assert all(request.answer is None for request in waiting)
    assert waiting == sorted(waiting, key=lambda request: request.number)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcptap.protocol.model.requests.MAX_OPEN", 2)


@pytest.mark.usefixtures("few")
def test_of_very_many_open_requests_some_are_followed_and_no_answer_is_called_unasked():
    requests = Requests()
    asked = [("c2s", {"id": key, **ASK}) for key in (1, 2, 3)]
    played(*asked, requests=requests)
    assert (len(requests.unanswered()), requests.unfollowed) == (2, 1)
    [answer] = played(("s2c", {"id": 3, **ANSWER}), requests=requests)
    assert (answer.request, answer.match) == (None, None)


@pytest.mark.usefixtures("few")
def test_an_answer_makes_room_for_a_request():
    requests = Requests()
    for key in range(9):
        played(("c2s", {"id": key, **ASK}), ("s2c", {"id": key, **ANSWER}), requests=requests)
    assert (requests.unanswered(), requests.unfollowed) == ([], 0)


@pytest.mark.usefixtures("few")
def test_a_long_id_takes_more_room():
    requests = Requests()
    played(("c2s", {"id": "k" * 1000, **ASK}), requests=requests)
    assert requests.unfollowed == 1
