"""A played client's connection: which answer is whose, how long it is waited for, what is refused."""

import json

import pytest
import trio

from mcptap.play.client import connection as module
from mcptap.play.client.connection import STOP, STOP_FLOOD, Connection, connect
from mcptap.protocol.model.message import Flaw
from tests.play.function_server import GONE, answering, run
from tests.play.sessions import request, result


@pytest.fixture
def talk(serve):
    """`talk(answer, conversation)`: what the conversation with a server that is a function returns."""

    def start(answer, conversation, **options):
        async def main():
            async with connect(serve(answer, **options)) as connection:
                return await conversation(connection)

        return run(main)

    return start


def test_a_request_gets_the_response_with_its_own_id(talk):
    def answer(message):
        yield result(99)
        yield b"oh"
        yield result(message["id"], n=1)

    async def conversation(connection: Connection):
        return await connection.request("ping")

    assert talk(answer, conversation).result == {"n": 1}


def test_an_id_that_comes_back_as_text_is_taken_as_libraries_take_it(talk):
    async def conversation(connection: Connection):
        return await connection.request("ping", key=7)

    assert talk(lambda m: [result(str(m["id"]))], conversation).id == "7"


def test_what_the_client_takes_for_no_message_is_no_response(serve):
    bad = {"jsonrpc": "2.0", "id": 1, "result": {}, "more": 1}

    async def main(drops):
        async with connect(serve(lambda _: [bad]), drops=drops) as connection:
            return await connection.request("ping", key=1)

    assert run(main, frozenset()) is not None
    assert run(main, frozenset({Flaw.EXTRA_MEMBER})) is None


def test_the_first_answer_may_take_as_long_as_a_start_and_later_ones_less(talk):
    async def conversation(connection: Connection):
        waits = []
        for method in ("no/answer", "ping", "no/answer"):
            began = trio.current_time()
            await connection.request(method)
            waits.append(trio.current_time() - began)
        return waits

    server = answering({"no/answer": None, "ping": {}})
    assert talk(server, conversation, start_s=60, timeout_s=10) == pytest.approx([60, 0, 10])


def test_the_end_of_the_server_ends_the_wait(talk):
    async def conversation(connection: Connection):
        began = trio.current_time()
        response = await connection.request("ping")
        return response, connection.ended, trio.current_time() - began

    assert talk(lambda _: [GONE], conversation) == (None, True, 0)


def test_a_flood_of_stray_lines_is_not_waited_out_and_the_server_stopped_at_once(talk, monkeypatch):
    monkeypatch.setattr(module, "FLOOD", 10)

    async def conversation(connection: Connection):
        began = trio.current_time()
        assert await connection.request("ping") is None
        assert trio.current_time() == began
        await connection.stop()
        return connection.server.stopped_by

    assert talk(lambda _: [b"oh"] * 11, conversation) == STOP_FLOOD
    assert talk(lambda _: [*[b"oh"] * 10, GONE], conversation) == STOP


def test_requests_of_the_server_are_answered_while_a_response_is_waited_for(talk):
    def answer(message):
        if message.get("method") == "tools/list":
            yield request("s1", "ping")
            yield request("s2", "roots/list")
            yield request(None, "roots/list")
        elif message["id"] == "s2":
            yield result(1)

    async def conversation(connection: Connection):
        assert await connection.request("tools/list") is not None
        return [json.loads(line) for line in connection.server.sent[1:]]

    pong, refused = talk(answer, conversation)
    assert pong == result("s1")
    assert (refused["id"], refused["error"]["code"]) == ("s2", -32601)


def test_every_request_has_an_id_of_its_own_and_the_meta_of_the_era(talk):
    async def conversation(connection: Connection):
        await connection.request("a")
        connection.meta = {"era": 1}
        await connection.request("b", {"x": 1})
        await connection.notify("c")
        return [json.loads(line) for line in connection.server.sent]

    first, second, note = talk(answering({}), conversation)
    assert first["id"] != second["id"]
    assert "params" not in first
    assert second["params"] == {"x": 1, "_meta": {"era": 1}}
    assert note == {"jsonrpc": "2.0", "method": "c"}


def test_a_server_that_nobody_stopped_is_stopped_when_the_block_is_left(serve):
    async def main():
        async with connect(serve(answering({}))) as connection:
            pass
        return connection

    connection = run(main)
    assert connection.server.stopped_by == STOP
    assert connection.exit.code == 0
    assert connection.recording_path.endswith(".jsonl")


def test_lines_of_the_client_that_come_back_are_no_answers(talk):
    async def conversation(connection: Connection):
        return await connection.request("initialize"), connection.echoed, connection.received

    assert talk(lambda message: [message], conversation) == (None, 1, [])
