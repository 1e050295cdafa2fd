import pytest

from mcptap.play.compare.comparison import by_question, compare
from mcptap.play.compare.comparison_text import explanation, lines
from mcptap.play.compare.ignore import Ignore, parse
from mcptap.play.compare.severity import Severity
from tests.play.sessions import c2s, call, request, result, s2c, session


def statuses(old, new, patterns="", **options):
    comparison = compare(old, new, Ignore(parse(patterns, "x"), kinds=()), **options)
    return [entry.status for entry in comparison.entries], comparison.different


def test_the_same_answers_are_the_same_whatever_the_order_of_their_members():
    old = session(c2s(request(1)), s2c(b'{"jsonrpc":"2.0","id":1,"result":{"a":1,"b":2}}'))
    new = session(c2s(request(1)), s2c(b'{"result":{"b":2,"a":1},"id":1,"jsonrpc":"2.0"}'))
    assert statuses(old, new) == (["same"], False)


def test_an_answer_that_became_an_error_is_different():
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "boom"}}
    assert statuses(
        session(*call(1, "3")), session(c2s(request(1, "tools/call", name="add")), s2c(error))
    ) == (
        ["different"],
        True,
    )


def test_missing_and_extra_answers():
    asked = session(c2s(request(1, "tools/call", name="add")))
    answered = session(*call(1, "3"))
    assert statuses(answered, asked) == (["missing"], True)
    assert statuses(asked, answered) == (["extra"], True)
    assert statuses(asked, asked) == (["same"], False)


def test_a_request_without_an_answer_that_was_not_asked_again_lost_nothing():
    asked = session(c2s(request(1)), c2s(request(2, "tools/list")))
    assert statuses(asked, session(c2s(request(1)))) == (["same", "same"], False)


def test_a_stray_line_is_extra():
    stray = s2c(b"Spelling F major")
    assert statuses(session(*call(1, "3")), session(stray, *call(1, "3"))) == (["same", "extra"], True)
    assert statuses(session(stray, *call(1, "3")), session(stray, *call(1, "3"))) == (["same"], False)


def test_what_is_overlooked_in_a_notification_does_not_make_it_another():
    def log(time):
        return s2c({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": f"at {time}"}})

    old, new = session(log("10:00:00")), session(log("11:11:11"))
    assert statuses(old, new) == (["missing", "extra"], True)
    assert statuses(old, new, "** ~ times") == (["same"], False)


def test_a_request_of_the_server_is_the_same_under_another_id():
    assert statuses(session(s2c(request(1, "roots/list"))), session(s2c(request(9, "roots/list")))) == (
        [],
        False,
    )


def test_another_order_is_told_and_makes_no_difference():
    asked = c2s(request(1)), c2s(request(2))
    old = session(*asked, s2c(result(1)), s2c(result(2)))
    new = session(*asked, s2c(result(2)), s2c(result(1)))
    assert statuses(old, new) == (["same", "same", "other order"], False)
    one_by_one = session(asked[0], s2c(result(1)), asked[1], s2c(result(2)))
    assert statuses(new, one_by_one) == (["same", "same"], False)


@pytest.mark.parametrize(
    ("took_ms", "limit", "expected"),
    [
        (1000, None, (["same", "slower"], False)),
        (1000, 50.0, (["same", "slower"], True)),
        (1000, 200.0, (["same", "slower"], False)),
        (100, None, (["same"], False)),
        (100, 5.0, (["same", "slower"], True)),
    ],
)
def test_slower_answers_count_only_beyond_the_factor_that_was_asked_for(took_ms, limit, expected):
    old, new = session(*call(1, "3", took_ms=10)), session(*call(1, "3", took_ms=took_ms))
    assert statuses(old, new, slower=limit) == expected


def test_another_end_of_the_server_is_different():
    assert statuses(session(code=0), session(code=1)) == (["different"], True)
    assert statuses(session(code=0), session(signal="SIGSEGV")) == (["different"], True)
    assert statuses(session(code=0), session()) == ([], False)
    # By the client, past the tap: it says nothing about the server.
    assert statuses(session(signal="SIGTERM"), session(code=0)) == ([], False)


def test_two_clients_are_compared_by_what_they_asked():
    old = session(*call(1, "3"), *call(2, "5", name="sub"))
    new = session(*call("a", "5", name="sub"), *call("b", "3"), *call("c", "3"))
    assert statuses(old, new, key=by_question) == (["same", "same", "extra"], True)


def test_how_often_a_list_is_said_to_have_changed_is_no_difference_but_told():
    changed = s2c({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    comparison = compare(session(changed, changed, *call(1, "3")), session(*call(1, "3")), Ignore())
    assert (comparison.different, comparison.overlooked) == (False, ["list_changed"])
    assert compare(session(changed), session(), Ignore(kinds=())).different


def test_what_was_taken_as_the_same_is_counted_and_explained():
    old, new = session(*call(1, "at 9:59:00 PM")), session(*call(1, "at 10:00:01 PM"))
    comparison = compare(old, new, Ignore())
    assert (comparison.severity, comparison.overlooked) == (Severity.NOISE, ["times"])
    assert list(lines(comparison)) == [
        "taken as the same: 1 difference: times (1); --explain shows them",
        "compared: the same (1 same)",
    ]
    explained = list(lines(comparison, explain=True))
    assert "  tools/call add (id 1) (times)" in explained
    assert '      + "at 10:00:01 PM"' in explained
    assert "list_changed" in "\n".join(explanation())


def test_what_breaks_callers_is_told_apart_from_what_is_only_new():
    stray, answered = session(s2c(b"hi"), *call(1, "3")), session(*call(1, "3"))
    assert compare(answered, stray, Ignore()).severity is Severity.CONTRACT
    assert compare(stray, answered, Ignore()).severity is Severity.CONTENT
    asked = session(c2s(request(1, "tools/call", name="add")))
    assert compare(answered, asked, Ignore()).broken == ["no answer"]
    assert compare(session(code=0), session(code=1), Ignore()).severity is Severity.CONTRACT
    assert compare(session(code=1), session(code=0), Ignore()).severity is Severity.CONTENT


def test_what_a_server_asks_when_the_client_has_its_last_answer_is_told_and_no_difference():
    early = session(*call(1, "3"))
    late = session(*call(1, "3"), s2c(request(9, "roots/list")))
    between = session(s2c(request(9, "roots/list")), *call(1, "3"))
    for old, new in ((early, late), (late, early)):
        comparison = compare(old, new, Ignore())
        assert (comparison.different, comparison.overlooked) == (False, ["after the last answer"])
    assert compare(early, between, Ignore()).different
    assert compare(early, session(*call(1, "3"), s2c(b"bye")), Ignore()).different
