"""Requests and answers that a log only tells of."""

from mcptap.captures.logs.telling import MAX_HELD, Opening, Teller
from mcptap.recording.format.lines import TOLD
from mcptap.recording.format.model import Item, Line

AT = (3, 1000, 2000)
LATER = (9, 5000, 6000)


def told(items: list[Item]) -> list[tuple[int, str, str]]:
    found = []
    for item in items:
        assert isinstance(item, Line)
        assert item.known == TOLD
        found.append((item.number, item.channel, item.value.get("method", item.value["id"])))
    return found


def test_an_answer_goes_to_the_oldest_request_of_its_name():
    teller = Teller()
    first, other, second = (teller.asks(AT, "tools/call", name) for name in ("a", "b", "a"))
    assert first.value["params"] == {"name": "a"}
    (answer,) = teller.answers(LATER, "tools/call", "a")
    assert isinstance(answer, Line)
    assert answer.value["id"] == first.value["id"]
    (failed,) = teller.answers(LATER, "tools/call", "b", error={"code": -32602})
    assert isinstance(failed, Line)
    assert (failed.value["id"], failed.value["error"]) == (other.value["id"], {"code": -32602})
    (answer,) = teller.answers(LATER, "tools/call", "a")
    assert isinstance(answer, Line)
    assert answer.value["id"] == second.value["id"]


def test_an_answer_to_nothing_is_no_line():
    assert Teller().answers(AT, "tools/call", "a") == []


def test_a_connection_that_came_about_was_asked_for_when_it_began():
    teller = Teller()
    opening = Opening(teller)
    opening.begin(AT)
    between = teller.asks((4, 2000, 3000), "ping")
    assert opening.hold([between]) == []
    assert told(opening.answered(LATER, {})) == [
        (3, "c2s", "initialize"),
        (4, "c2s", "ping"),
        (9, "s2c", "log-2"),
    ]
    assert opening.hold([between]) == [between]


def test_of_a_command_that_was_not_started_nothing_was_asked():
    opening = Opening(Teller())
    opening.begin(AT)
    assert opening.pending
    assert opening.nothing() == []
    assert opening.asked() == []
    assert not opening.pending


def test_what_is_held_back_is_bounded():
    teller = Teller()
    opening = Opening(teller)
    opening.begin(AT)
    line = teller.asks(AT, "ping")
    given = [item for _ in range(MAX_HELD + 10) for item in opening.hold([line])]
    assert len(given) == MAX_HELD + 11
