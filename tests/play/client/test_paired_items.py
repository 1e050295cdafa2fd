"""Items with their messages: batches taken apart, responses paired with requests."""

import json

from mcptap.play.client.paired_items import answered_request, messages_of, paired_items
from mcptap.protocol.model.message import REQUEST, RESPONSE
from mcptap.recording.format.model import Event, Line
from tests.play.sessions import request, result


def line(number, channel, message):
    data = message if isinstance(message, bytes) else json.dumps(message).encode()
    return Line(number, channel, data, b"\n", number, number, 0)


def responses(*items):
    """For each response, the number of the line with its request; None where there is none."""
    found = []
    for _, messages in paired_items(items):
        for message in messages:
            if message.kind is RESPONSE:
                asked = answered_request(message)
                found.append(None if asked is None else asked.t_us)
    return found


def test_an_item_that_is_no_line_has_no_messages():
    event = Event(1, "exit", 0, 0, {"code": 0})
    assert list(paired_items([event])) == [(event, [])]


def test_a_response_answers_the_request_with_its_id_of_the_other_side():
    assert responses(
        line(1, "c2s", request(5)),
        line(2, "s2c", request(5, "roots/list")),
        line(3, "s2c", result(5)),
        line(4, "c2s", result(5)),
    ) == [1, 2]


def test_a_second_response_and_one_with_an_id_of_another_type_answer_nothing():
    assert responses(
        line(1, "c2s", request(5)),
        line(2, "s2c", result(5)),
        line(3, "s2c", result(5)),
        line(4, "c2s", request(6)),
        line(5, "s2c", result("6")),
    ) == [1, None, None]


def test_a_request_is_no_answer_to_itself():
    [(_, [message])] = paired_items([line(1, "c2s", request(1))])
    assert message.kind is REQUEST
    assert answered_request(message) is None


def test_the_messages_of_a_batch_come_one_by_one_under_the_number_of_its_line():
    batch = line(7, "c2s", [request(1), request(2, "tools/list")])
    messages = messages_of(batch)
    assert [(m.id, m.method, m.number) for m in messages] == [(1, "ping", 7), (2, "tools/list", 7)]
    assert [m.line.value for m in messages] == [request(1), request(2, "tools/list")]


def test_responses_in_a_batch_are_paired_with_requests_in_a_batch():
    assert responses(line(1, "c2s", [request(1), request(2)]), line(2, "s2c", [result(2), result(1)])) == [
        1,
        1,
    ]


def test_an_empty_batch_and_a_line_that_is_no_json_are_one_message():
    assert len(messages_of(line(1, "c2s", []))) == 1
    assert len(messages_of(line(1, "c2s", b"\xff oh"))) == 1
