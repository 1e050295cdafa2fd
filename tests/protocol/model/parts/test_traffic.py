"""Counts of a session's lines, and its firsts."""

from mcptap.protocol.model.parts import traffic as module
from tests.helpers import error, request, result, text_result
from tests.protocol.fed import Fed


def test_lines_and_the_first_of_each_channel_are_counted():
    fed = Fed()
    fed.client(request(1, "ping"))
    for content in (b"Server ready\n", result(1), result(9)):
        fed.server(content)
    traffic = fed.session.traffic
    assert (traffic.lines, traffic.messages, traffic.first_line) == (4, 3, {"c2s": 2, "s2c": 3})


def test_requests_of_the_client_are_counted_by_method_and_by_purpose():
    fed = Fed()
    for id, method in enumerate(["server/discover", "ping", "initialize", "tools/list", "tools/list"]):
        fed.client(request(id, method))
    fed.server(request(1, "roots/list"))
    traffic = fed.session.traffic
    assert (traffic.requests, traffic.ordinary_requests, traffic.only_discover) == (5, 2, False)
    assert traffic.by_method == {"server/discover": 1, "ping": 1, "initialize": 1, "tools/list": 2}
    assert (traffic.first_request.method, traffic.first_but_probes.method) == (
        "server/discover",
        "initialize",
    )


def test_a_client_that_asks_for_discovery_alone_is_known_as_that():
    fed = Fed()
    fed.client(request(1, "server/discover"))
    assert fed.session.traffic.only_discover


def test_errors_and_failures_of_tools_count_for_requests_of_the_client_alone():
    fed = Fed()
    for id, answer in enumerate(
        [error(0, -32603, "no"), text_result(1, "no", is_error=True), text_result(2, "yes")]
    ):
        fed.client(request(id, "tools/call", {"name": "t"}))
        fed.server(answer)
    fed.server(request(1, "roots/list"))
    fed.client(error(1, -32601, "no"))
    traffic = fed.session.traffic
    assert traffic.failures == 2
    assert traffic.answered_methods == {"tools/call"}


def test_the_first_answer_is_the_first_that_belongs_to_a_request():
    fed = Fed()
    fed.server(result(7))
    fed.ask(1, "vendor/method")
    assert fed.session.traffic.first_answer == 4
    assert fed.session.traffic.answered_methods == set()


def test_the_methods_that_are_counted_are_bounded(monkeypatch):
    monkeypatch.setattr(module, "MAX_METHODS", 2)
    fed = Fed()
    for id, method in enumerate("aabbccdd"):
        fed.client(request(id, method))
    assert fed.session.traffic.requests == 8
    assert fed.session.traffic.by_method == {"a": 2, "b": 2}
