"""How long answers take, and what else explains it."""

from mcptap.protocol.model.parts.timing import BUFFERED_US, BURST_US
from tests.helpers import notification, request, result
from tests.protocol.fed import SECOND, Fed


def held(fed):
    return [(asked.id, why) for asked, why in fed.session.timing.held_answers(fed.session.process)]


def test_the_time_in_which_the_client_owes_an_answer_is_not_the_servers():
    fed = Fed()
    called = fed.client(request(1, "tools/call", {"name": "t"})).request
    fed.wait(2 * SECOND)
    fed.server(request(7, "elicitation/create"))
    fed.wait(10 * SECOND)
    assert fed.session.timing.client_busy_us(fed.t_us) == 10 * SECOND
    assert fed.session.timing.silence_us(called, fed.t_us) == 2 * SECOND
    fed.client(result(7, {"action": "accept"}))
    fed.wait(3 * SECOND)
    assert fed.session.timing.silence_us(called, fed.t_us) == 5 * SECOND


def test_two_requests_of_the_server_at_a_time_count_once_and_pings_not_at_all():
    fed = Fed()
    fed.server(request(1, "sampling/createMessage"))
    fed.server(request(2, "sampling/createMessage"))
    fed.server(request(3, "ping"))
    fed.wait(4 * SECOND)
    fed.client(result(1))
    fed.wait(1 * SECOND)
    fed.client(result(2))
    fed.wait(9 * SECOND)
    fed.client(result(3))
    assert fed.session.timing.client_busy_us(fed.t_us) == 5 * SECOND


def test_a_request_that_was_sent_later_has_less_of_that_time():
    fed = Fed()
    fed.server(request(7, "elicitation/create"))
    fed.wait(5 * SECOND)
    late = fed.client(request(1, "ping")).request
    fed.wait(1 * SECOND)
    assert fed.session.timing.silence_us(late, fed.t_us) == 0


def test_progress_ends_a_silence_and_the_longest_one_counts():
    fed = Fed()
    asked = fed.client(request(1, "tools/call", {"name": "t", "_meta": {"progressToken": "p"}})).request
    for seconds in (3, 1):
        fed.wait(seconds * SECOND)
        fed.server(notification("notifications/progress", {"progressToken": "p", "progress": seconds}))
    fed.wait(2 * SECOND)
    assert fed.session.timing.silence_us(asked, fed.t_us) == 3 * SECOND


def test_answers_that_all_came_at_the_end_were_held_until_then():
    for end, why in (("eof", "the client closed the server's input"), ("exit", "the server exited")):
        fed = Fed()
        for id in (1, 2):
            fed.client(request(id, "ping"))
        fed.wait(BUFFERED_US + SECOND)
        if end == "eof":
            fed.event("eof", ch="c2s")
        for id in (1, 2):
            fed.server(result(id))
        if end == "exit":
            fed.event("exit", code=0)
        assert held(fed) == [(1, why), (2, why)]


def test_one_slow_answer_at_the_end_may_be_chance_if_the_server_was_heard_before():
    fed = Fed()
    fed.ask(0, "ping")
    fed.client(request(1, "ping"))
    fed.wait(BUFFERED_US + SECOND)
    fed.server(result(1))
    fed.event("exit", code=0)
    assert held(fed) == []


def test_an_answer_after_the_server_was_heard_during_the_wait_was_not_held():
    fed = Fed()
    for id in (1, 2):
        fed.client(request(id, "ping"))
    fed.wait(SECOND)
    fed.server(notification("notifications/message"))
    fed.wait(BUFFERED_US + BURST_US)
    for id in (1, 2):
        fed.server(result(id))
    fed.event("exit", code=0)
    assert held(fed) == []


def test_an_answer_before_the_signal_that_stopped_the_server_was_slow_and_not_held():
    for order in (["answer", "signal"], ["signal", "answer"]):
        fed = Fed()
        fed.client(request(1, "server/discover"))
        fed.wait(BUFFERED_US + SECOND)
        for step in order:
            if step == "answer":
                fed.server(result(1))
            else:
                fed.event("signal", signal="SIGINT", pid=7, forwarded=True)
        fed.event("exit", signal="SIGTERM")
        assert held(fed) == ([] if order[0] == "answer" else [(1, "the server exited")])
