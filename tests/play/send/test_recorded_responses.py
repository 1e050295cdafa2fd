"""Which recorded response is for which request of a fresh server."""

from mcptap.play.client.client_script import ClientResponse
from mcptap.play.send.recorded_responses import RecordedResponses
from mcptap.play.send.substitution import ValueSubstitution
from mcptap.protocol.model.message import classify
from mcptap.recording.format.model import Line
from tests.helpers import as_bytes
from tests.play.scripts import lines, recorded
from tests.play.sessions import c2s, request, result, s2c


def asks(key, method="roots/list", **params):
    """A request of the fresh server."""
    return classify(Line(1, "s2c", as_bytes(request(key, method, **params))[:-1], b"\n", 0, 0, 0))


def responses_of(script):
    return RecordedResponses(script, ValueSubstitution([]))


def test_a_request_is_known_by_its_method_and_each_response_is_given_once():
    script = recorded(
        s2c(request("a", "roots/list")),
        c2s(result("a", n=1)),
        s2c(request("b", "roots/list")),
        c2s(result("b", n=2)),
    )
    responses = responses_of(script)
    assert responses.find(asks(7, "sampling/createMessage"), set()) is None
    assert responses.find(asks(7), set()).message.result == {"n": 1}
    assert responses.find(asks(8), set()).message.result == {"n": 2}
    assert responses.find(asks(9), set()) is None


def test_of_requests_with_the_same_method_the_one_with_the_same_params_is_taken():
    script = recorded(
        s2c(request("a", "elicitation/create", message="Name?")),
        c2s(result("a", n=1)),
        s2c(request("b", "elicitation/create", message="Age?")),
        c2s(result("b", n=2)),
    )
    found = responses_of(script).find(asks(7, "elicitation/create", message="Age?"), set())
    assert found.message.result == {"n": 2}


def test_what_the_recorded_client_left_open_is_the_recorded_request():
    script = recorded(s2c(request("a", "roots/list")))
    assert responses_of(script).find(asks(7), set()) is script.server_requests[0]


def test_values_of_the_fresh_request_take_the_place_of_the_recorded_ones():
    script = recorded(s2c(request("a", "elicitation/create", taskId="old")), c2s(result("a")))
    substitution = ValueSubstitution([{"params": {"taskId": "old"}}])
    RecordedResponses(script, substitution).find(asks(1, "elicitation/create", taskId="new"), set())
    assert substitution.substitutes == {"old": "new"}


def test_among_plain_lines_the_id_decides_and_what_was_sent_is_not_sent_again():
    script = lines(request(1), result("a", n=1), result("b", n=2))
    responses = responses_of(script)
    found = responses.find(asks("b"), set())
    assert isinstance(found, ClientResponse)
    assert found.message.result == {"n": 2}
    assert responses.find(asks("b"), {id(found)}) is None
    assert responses.find(asks("c"), set()) is None
