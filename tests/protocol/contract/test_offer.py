"""What a session showed of a server."""

from mcptap.protocol.contract.offer import offer_of
from tests.protocol.contract.samples import offering, session, tool


def test_an_offer_has_what_was_listed_and_said():
    offer = offer_of(offering(tool("add"), client='{"sampling":{"tools":{}}}'))
    assert set(offer.items) == {("tool", "add"), ("instructions", "")}
    assert (offer.info_name, offer.version, offer.revision) == ("scales", "1", "2025-11-25")
    assert offer.whole == {"tool"}
    assert offer.declared == {"sampling", "sampling.tools"}
    assert offer.label == ""
    assert offer.named == "weather"
    locked = offer.approved("mine")
    assert set(locked.items) == {("tool", "add")}
    assert locked.lists == ("tool",)
    assert locked.tokens > 0


def test_a_name_that_is_not_made_of_the_command_is_a_label():
    offer = offer_of(offering(tool("a"), launch='{"name":"mine"}'))
    assert offer.label == "mine"


def test_pages_that_were_not_read_make_a_list_cut():
    steps = (
        "* a good handshake",
        "* 1 page of tools/list, each with a cursor: a0".replace("1 page ", "1 pages "),
    )
    offer = offer_of(session(*steps))
    assert (offer.whole, offer.cut) == (frozenset(), {"tool"})


def test_a_list_whose_first_page_is_missing_is_not_whole():
    offer = offer_of(
        session(
            "* a good handshake",
            '--> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"lost"}}',
            '<-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}}',
        )
    )
    assert (offer.whole, offer.cut) == (frozenset(), {"tool"})
