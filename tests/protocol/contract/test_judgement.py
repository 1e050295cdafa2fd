"""A session held against a lock."""

from mcptap.protocol.contract.items import Class
from mcptap.protocol.contract.judgement import Comparison, compare, judged
from mcptap.protocol.contract.lock import Lock
from mcptap.protocol.contract.offer import offer_of
from tests.protocol.contract.samples import offering, session, tool


def lock_of(*tools: dict[str, object], client: str = "{}", overlooks: bool = False) -> Lock:
    server = offer_of(offering(*tools, client=client)).approved("weather")
    return Lock(servers={"weather": server}, overlooks=(lambda *_: True) if overlooks else None)


def compared(lock: Lock, *tools: dict[str, object], client: str = "{}") -> Comparison:
    return compare(lock, offer_of(offering(*tools, client=client)))


def test_the_same_again_differs_in_nothing():
    assert compared(lock_of(tool("a"), tool("b")), tool("b"), tool("a")).differences == ()


def test_each_item_has_a_difference_for_each_class():
    lock = lock_of(tool("a"), tool("b"))
    found = compared(lock, tool("a", "Other."), tool("c")).differences
    assert [(one.name, one.cls) for one in found] == [("a", Class.WORDS), ("c", Class.NEW), ("b", Class.GONE)]
    assert [one.is_same_version for one in found] == [True, False, False]


def test_what_may_hang_on_the_client_is_noted_only():
    more = compared(lock_of(tool("a")), tool("a"), tool("b"), client='{"roots":{}}')
    assert more.differences == ()
    assert more.added == ("b",)
    assert more.notes[0].startswith("1 item (b) is not in mcptap.lock: the client declares roots")


def test_words_that_only_differ_from_run_to_run_are_overlooked():
    assert compared(lock_of(tool("a"), overlooks=True), tool("a", "At 10:00.")).differences == ()


def test_a_session_without_a_lock_keeps_nothing_and_one_without_offers_is_not_judged():
    assert judged(session("* the server starts", lock=lock_of(tool("a")))) is None
    held = offering(tool("a"), lock=lock_of(tool("a")))
    first = judged(held)
    assert first is not None
    assert judged(held) is first


def test_a_capability_that_is_gone_is_a_breach():
    lock = lock_of(tool("a"))
    bare = session('* a good handshake: {"logging":{}} {}', lock=lock)
    found = judged(bare)
    assert found is not None
    assert [change.why for one in found.differences for change in one.changes] == [
        "tools is no longer declared"
    ]
