"""What is kept of a command line, and of an item."""

from mcptap.protocol.contract.lock import NOTHING_SAID, command_of, locked, shape_of


def test_masks_are_the_same_on_every_machine():
    assert command_of(["x", "--key=‹masked:abc123›"]) == command_of(["x", "--key=‹masked:ffff›"])


def test_a_shape_has_neither_folders_nor_versions():
    assert shape_of(["npx", "-y", "@scope/pkg@1.2.3", "/home/a", "C:\\x"]) == (
        "npx",
        "-y",
        "@scope/pkg",
        "/…",
        "/…",
    )
    assert shape_of(["x", "--tools=a"]) != shape_of(["x", "--tools=b"])


def test_an_item_is_hashed_and_costed():
    item = locked("tool", "a", {"name": "a", "inputSchema": {}}, {"sampling"})
    assert item.key == ("tool", "a")
    assert item.needs == ("sampling",)
    assert item.rights == "-do-"
    assert item.tokens > 0
    assert NOTHING_SAID.rights == ""
