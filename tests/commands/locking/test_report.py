"""What `mcptap lock` prints of what differs."""

from mcptap.commands.locking.report import difference_lines
from mcptap.masking.masker import Masker
from mcptap.protocol.contract.items import TOOL, Class, ItemChange
from mcptap.protocol.contract.judgement import Comparison, Difference
from mcptap.protocol.contract.lock import LockedServer

SERVER = LockedServer("weather", version="1")


def lines(*differences: Difference, added: tuple[str, ...] = ()) -> list[str]:
    compared = Comparison(SERVER, differences, added)
    return list(difference_lines(compared, LockedServer("weather", version="2"), "mcptap.lock", Masker()))


def test_what_is_as_approved_is_said_in_a_line():
    assert lines() == ["weather is just as it was approved in mcptap.lock."]


def test_differences_stand_by_class_and_their_number_below():
    words = ItemChange(Class.WORDS, ("description",), "other words", "a\x1b", "b")
    found = lines(
        Difference(TOOL, "new", Class.NEW), Difference(TOOL, "a", Class.WORDS, (words,)), added=("more",)
    )
    assert found[0] == "weather is not as it was approved in mcptap.lock (version 1 then, 2 now):"
    assert found[1].split() == ["other", "words", "tool", '"a":', "description:", "[-a␛-]{+b+}"]
    assert found[2].split() == ["new", "tool", '"new"']
    assert "more, which may hang on what the client declares" in found[3]
    assert found[-1] == "Nothing is written; 3 differences. --update approves all, --update TOOL one."
