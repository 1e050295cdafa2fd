"""What a server says of itself, and what it lists, to the last page."""

import pytest

from mcptap.play.client import server_description as module
from mcptap.play.client.connection import connect
from mcptap.play.client.opening import discover, initialize
from mcptap.play.client.server_description import ServerDescription, describe_server
from tests.play.function_server import GONE, answering, run

INFO = {"name": "small", "version": "1"}
TOOL = {"name": "add"}


def greeting(**capabilities):
    return {"protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": INFO}


@pytest.fixture
def described(serve):
    """What is found out of a server with these results, and the methods that it was asked."""

    def start(results, open_session=initialize, undeclared=frozenset()):
        asked = []

        def answer(message):
            asked.append(message.get("method"))
            yield from answering(results)(message)

        async def main():
            async with connect(serve(answer)) as connection:
                return await describe_server(connection, await open_session(connection), undeclared)

        return run(main), asked

    return start


def pages(member, count, loops=False):
    """A list of one item a page."""

    def page(params):
        at = int(params.get("cursor", "0"))
        more = loops or at + 1 < count
        return {member: [{"name": f"{at}"}], **({"nextCursor": str((at + 1) % count)} if more else {})}

    return page


def test_only_what_is_declared_is_asked_for(described):
    server, asked = described({"initialize": greeting(tools={}), "tools/list": {"tools": [TOOL]}})
    assert asked == ["initialize", "notifications/initialized", "tools/list"]
    assert (server.revision, server.info, server.tools) == ("2025-11-25", INFO, [TOOL])
    assert not server.is_stateless
    assert server.errors == {}


def test_resources_are_asked_for_with_their_templates(described):
    results = {"initialize": greeting(resources={}), "resources/list": {"resources": []}}
    server, _ = described({**results, "resources/templates/list": {"resourceTemplates": [{"name": "t"}]}})
    assert server.lists == {"resources": [], "resourceTemplates": [{"name": "t"}]}


def test_what_is_not_declared_may_be_asked_for_all_the_same(described):
    server, _ = described(
        {"initialize": greeting(), "tools/list": {"tools": [TOOL]}}, undeclared=frozenset({"tools"})
    )
    assert server.tools == [TOOL]


def test_a_list_is_read_to_its_last_page(described):
    server, _ = described({"initialize": greeting(tools={}), "tools/list": pages("tools", 3)})
    assert [tool["name"] for tool in server.tools] == ["0", "1", "2"]
    assert server.pages == {"tools": 3}


def test_a_cursor_that_comes_again_ends_a_list_that_would_never_end(described):
    server, _ = described({"initialize": greeting(tools={}), "tools/list": pages("tools", 3, loops=True)})
    assert server.errors == {"tools": "the same cursor came twice"}


def test_no_list_is_read_for_ever(described, monkeypatch):
    monkeypatch.setattr(module, "MAX_PAGES", 5)
    server, _ = described({"initialize": greeting(tools={}), "tools/list": pages("tools", 1000)})
    assert len(server.tools) == 5


@pytest.mark.parametrize(
    ("value", "words"),
    [(-32603, "error -32603, no"), (None, "no answer"), (GONE, "the server ended"), ([], "error None, None")],
)
def test_why_a_list_is_not_whole_is_said(described, value, words):
    server, _ = described({"initialize": greeting(tools={}), "tools/list": value})
    assert (server.errors, server.tools) == ({"tools": words}, [])


def test_a_server_that_ended_is_asked_nothing_more(described):
    _, asked = described(
        {"initialize": greeting(tools={}, prompts={}), "tools/list": GONE, "prompts/list": {}}
    )
    assert "prompts/list" not in asked


def test_items_of_no_shape_are_left_out(described):
    odd = {"tools": [TOOL, None, "x", []], "nextCursor": None}
    assert described({"initialize": greeting(tools={}), "tools/list": odd})[0].tools == [TOOL]
    assert described({"initialize": greeting(tools={}), "tools/list": {"tools": 3}})[0].tools == []
    assert described({"initialize": {"capabilities": [], "serverInfo": "x"}})[0].info == {}


def test_a_stateless_server_names_itself_in_its_meta(described):
    found = {
        "supportedVersions": ["2026-07-28"],
        "capabilities": {},
        "_meta": {"io.modelcontextprotocol/serverInfo": INFO},
    }
    server, _ = described({"server/discover": found}, discover)
    assert (server.is_stateless, server.info) == (True, INFO)
    assert not ServerDescription().is_stateless
