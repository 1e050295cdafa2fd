"""A request by itself: until when it is open, and how long it took."""

from mcptap.protocol.model.request import PENDING, Request


def test_a_request_is_open_and_has_no_latency_until_it_has_an_answer():
    request = Request("c2s", 1, "ping", 2, 100)
    assert (request.state, request.open, request.latency_us) == (PENDING, True, None)
    request.answer, request.answered_us = 3, 250
    assert (request.open, request.latency_us) == (False, 150)


def test_a_clock_that_went_back_gives_no_negative_latency():
    request = Request("c2s", 1, "ping", 2, 100)
    request.answer, request.answered_us = 3, 50
    assert request.latency_us == 0


def test_the_longest_silence_is_counted_from_the_request_and_between_its_progress():
    request = Request("c2s", 1, "tools/call", 2, 100)
    for t_us, longest in ((400, 300), (500, 300), (900, 400)):
        request.note_progress(t_us)
        assert (request.progress_us, request.silence_us) == (t_us, longest)
