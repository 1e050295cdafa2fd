"""The log of the Java SDK, beside the samples."""

import pytest

from mcptap.captures.formats.sdks.java import _names
from tests.captures.reading import read

HEAD = "2026-03-14 09:26:53.589 [inbound-1] DEBUG i.m.spec.McpClientSession - "


def test_an_answer_belongs_to_the_request_that_its_id_counts():
    text = (
        f"{HEAD}Sending message for method initialize\n{HEAD}Sending message for method tools/list\n"
        f"{HEAD}Received response: JSONRPCResponse[jsonrpc=2.0, id=a1-1, result={{}}, error=null]\n"
        f"{HEAD}Received response: JSONRPCResponse[jsonrpc=2.0, id=a1-7, result={{}}, error=null]\n"
    )
    items = read(text)[1]
    assert items[2].value["id"] == items[1].value["id"]
    assert "id a1-7" in items[3].fields["text"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (b"tools={listChanged=false}, logging={}}, x=1", ["tools", "logging"]),
        (b"completions=null, prompts=PromptCapabilities[listChanged=true], tools=null], x=1", ["prompts"]),
        (b"}", []),
        (b"tools={", ["tools"]),
    ],
)
def test_capabilities_are_the_names_of_the_first_level_that_are_not_null(text: bytes, names: list[str]):
    assert list(_names(text)) == names


def test_a_server_tells_what_it_received():
    logger = "2026-03-14 09:26:53.589 [x] DEBUG i.m.s.t.StdioServerTransportProvider - "
    line = logger + 'Received JSON message: {"id":1}'
    source, items = read(line)
    assert [(item.channel, item.data) for item in items] == [("c2s", b'{"id":1}')]
    assert source.evidence.messages
