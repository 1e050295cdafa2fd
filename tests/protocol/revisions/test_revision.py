"""What a revision of MCP is: a date with methods, of which a later one takes what it keeps."""

import pickle

from mcptap.protocol.revisions.revision import (
    BOTH_WAYS,
    IN_RESULT,
    TO_CLIENT,
    TO_SERVER,
    Revision,
    notification,
    request,
)

LIST = request("tools/list", TO_SERVER, requires="server.tools", result="tools", optional="nextCursor")
ASK = request("roots/list", IN_RESULT, result="roots")
TOLD = notification("notifications/message", TO_CLIENT, params="data level")


def test_a_request_has_its_keys_from_words_and_every_result_may_have_meta():
    assert LIST.is_request
    assert (LIST.requires, LIST.params) == (("server.tools",), ())
    assert (LIST.result, LIST.result_keys) == (("tools",), ("tools", "nextCursor", "_meta"))
    assert not TOLD.is_request
    assert (TOLD.params, TOLD.result_keys) == (("data", "level"), ())


def test_a_revision_is_its_date_and_travels_to_another_process_as_that():
    revision = Revision("2099-01-01", (LIST,))
    assert revision == "2099-01-01"
    assert pickle.loads(pickle.dumps(revision)) == "2099-01-01"


def test_a_revision_without_more_words_has_no_features():
    bare = Revision("")
    assert not bare
    assert not bare.methods
    assert not bare.is_stateless
    assert (bare.input_methods, bare.cancels_without_id, bare.subscription_filters) == (
        frozenset(),
        False,
        {},
    )


def test_a_successor_has_the_methods_that_it_does_not_drop():
    before = Revision("2099-01-01", (LIST, ASK, TOLD))
    after = before.successor("2099-02-01", request("ping", BOTH_WAYS), without=("roots/list",))
    assert after == "2099-02-01"
    assert list(after.methods) == ["tools/list", "notifications/message", "ping"]
    assert after.methods["tools/list"] is LIST
    assert "roots/list" in before.methods


def test_a_successor_may_change_a_method():
    after = Revision("2099-01-01", (LIST, ASK)).successor("2099-02-01", request("tools/list", TO_SERVER))
    assert after.methods.keys() == {"tools/list", "roots/list"}
    assert after.methods["tools/list"].result == ()


def test_a_successor_has_the_features_that_are_not_given_anew():
    before = Revision("2099-01-01", is_stateless=True, cacheable=("tools/list",), content_types=("text",))
    after = before.successor("2099-02-01", content_types=("text", "audio"))
    assert (after.is_stateless, after.cacheable) == (True, {"tools/list"})
    assert after.content_types == {"text", "audio"}


def test_what_a_result_may_ask_for_is_told_by_the_direction():
    assert Revision("2099-01-01", (LIST, ASK)).input_methods == {"roots/list"}


def test_a_cancellation_without_id_is_one_whose_params_require_none():
    for params, without in (("requestId", False), ("", True)):
        cancelled = notification("notifications/cancelled", BOTH_WAYS, params=params)
        assert Revision("2099-01-01", (cancelled,)).cancels_without_id is without
