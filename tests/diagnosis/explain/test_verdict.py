"""What became of a session, in a word and in a sentence or two."""

from collections.abc import Iterable
from typing import Any

import pytest

from mcptap.captures.evidence import Evidence
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.diagnosis.explain.verdict import MOST_WORDS, UNUSED, Verdict, without_numbers
from mcptap.protocol.revisions.names import META_CLIENT_CAPABILITIES, META_VERSION
from mcptap.recording.format.model import Damaged, Header, Item
from mcptap.recording.reader import State
from mcptap.text.sentences import word_count
from tests.diagnosis.sessions import diagnosed, event, line, message, opening

TOOL = {"name": "forecast", "description": "The weather.", "inputSchema": {"type": "object"}}
SECOND = 1_000_000
LISTED = [message(id=1, method="tools/list"), message(id=1, result={"tools": [TOOL]})]
META = {META_VERSION: "2026-07-28", META_CLIENT_CAPABILITIES: {}}


def call(key: int, tool: str = "forecast", **members: Any) -> bytes:
    return message(id=key, method="tools/call", params={"name": tool, "arguments": {}, **members})


def said(key: int, text: str, **members: Any) -> bytes:
    return message(id=key, result={"content": [{"type": "text", "text": text}], **members})


def timed(lines: Iterable[bytes], gap_us: int = 1000) -> list[Item]:
    """Lines with a time each; requests and notifications of the client are told by their looks."""
    items: list[Item] = []
    for number, data in enumerate(lines, 2):
        by_client = b'"method"' in data and b"elicitation" not in data
        items.append(line(number, "c2s" if by_client else "s2c", data, number * gap_us))
    return items


def verdict(
    items: Iterable[Item],
    state: State | None = State.FINISHED,
    header: Header | None = None,
    now_wall_us: int = 0,
    **options: Any,
) -> Verdict:
    diagnosis = Diagnosis(header, **options)
    for item in items:
        diagnosis.feed(item)
    if state is not None:
        diagnosis.finish(state, now_wall_us=now_wall_us)
    found = diagnosis.verdict()
    assert word_count(found.words) <= MOST_WORDS
    return found


def end(number: int, t_us: int) -> list[Item]:
    """The client leaves, then the server."""
    return [event(number, "eof", t_us, ch="c2s"), event(number + 1, "exit", t_us + 1, code=0)]


# --- healthy ---------------------------------------------------------------------------------


def test_a_healthy_session_says_what_was_seen_and_what_that_leaves():
    items = timed([*opening("agent", tools={}), *LISTED, call(2), said(2, "sunny")])
    found = verdict([*items, *end(9, 20_000)])
    assert found.outcome is Outcome.HEALTHY
    assert found.words == f"Nothing is wrong: 1 tool was listed, 1 call was made. {UNUSED}"
    assert found.limits == ""


def test_a_live_session_is_healthy_so_far():
    found = verdict(timed([*opening("agent", tools={}), *LISTED]), State.LIVE)
    assert found.outcome is Outcome.HEALTHY
    assert found.words.startswith("Nothing is wrong so far: 1 tool was listed, none was called.")


def test_a_session_in_which_nobody_asked_for_tools_says_so():
    items = timed([*opening("agent", prompts={}), message(id=1, method="ping"), message(id=1, result={})])
    assert verdict([*items, *end(9, 20_000)]).words == "Nothing is wrong: the client did not ask for tools."


def test_a_probe_that_the_session_proper_followed_is_healthy():
    refused = message(id=1, error={"code": -32601, "message": "Method not found"})
    items = timed([message(id=1, method="server/discover", params={"_meta": META}), refused])
    diagnosis = Diagnosis(None, sibling=True)
    for item in [*items, *end(4, 20_000)]:
        diagnosis.feed(item)
    diagnosis.finish(State.FINISHED)
    assert diagnosis.verdict().outcome is Outcome.HEALTHY
    assert diagnosis.verdict().words == "Nothing is wrong: this start was a probe, and another one followed."


# --- something waits -------------------------------------------------------------------------

WALL_US = 1_795_987_023_000_000


def waiting(client: str, *lines: bytes, for_us: int = 73 * SECOND - 8000) -> Verdict:
    items = timed([*opening(client, tools={}), *LISTED, *lines])
    now_us = WALL_US + items[-1].t_us + for_us  # type: ignore[union-attr]
    return verdict(items, State.LIVE, Header({"wall": WALL_US}), now_us)


def test_a_call_that_waits_is_named_with_its_time_and_the_limit_of_this_client():
    found = waiting("gemini-cli-mcp-client", call(2), for_us=50 * SECOND)
    assert found.outcome is Outcome.WAITING
    assert found.open == 1
    assert found.words == (
        "`forecast` has waited 50.0 s for its answer; Gemini CLI gives up after 10 minutes."
    )


def test_no_limit_is_told_of_a_client_that_is_not_known():
    assert waiting("agent", call(2), for_us=SECOND).words == "`forecast` has waited 1.00 s for its answer."


def test_several_calls_that_wait_are_counted():
    found = waiting("agent", call(2), call(3, "other"), call(4, "third"), for_us=SECOND)
    assert found.words == "`forecast` has waited 1.00 s for its answer, as have 2 more requests."


def test_a_call_that_waits_for_a_person_says_so():
    asked = message(id=9, method="elicitation/create", params={"message": "?", "requestedSchema": {}})
    items = timed([*opening("agent", tools={}), *LISTED, call(2), asked])
    handshake = items[0].data.replace(b'"capabilities": {}', b'"capabilities": {"elicitation": {}}')  # type: ignore[union-attr]
    found = verdict([line(2, "c2s", handshake, 2000), *items[1:]], State.LIVE)
    assert (
        found.words == "`forecast` waits for the client, which has not answered elicitation/create for 0 µs."
    )


def test_a_call_that_was_open_when_the_client_left_is_named():
    items = timed([*opening("agent", tools={}), *LISTED, call(2)])
    found = verdict([*items, *end(9, 500_000)])
    assert found.outcome is Outcome.WAITING
    assert found.words == "`forecast` was still open, after 493 ms, when the client left."


def test_all_that_stayed_open_is_counted_beside_a_call_that_never_returned():
    """Some stayed open only since the client left at once: they had no answer either."""
    lines = [*opening("agent", tools={}), *LISTED, call(2)]
    lines += [call(3), said(3, "21"), call(4), call(5), said(5, "20"), call(6), said(6, "20"), call(7)]
    items = timed(lines)
    found = verdict([*items, *end(len(items) + 2, 10 * SECOND)])
    assert found.outcome is Outcome.BROKEN
    assert found.words.startswith("`forecast` and 2 other answers never arrived: ")
    assert found.open == 3


def test_a_list_that_waits_is_named_as_the_agent_knows_it():
    asked = message(id=2, method="tools/list")
    assert waiting("agent", asked, for_us=SECOND).words == "The client has waited 1.00 s for the tool list."
    items = timed([*opening("agent", tools={}), asked])
    found = verdict([*items, *end(9, 500_000)])
    assert found.words.startswith("The tool list was still missing, after 4")


def test_what_the_server_wrote_while_a_call_waits_stands_beside_it():
    items = timed([*opening("agent", tools={}), *LISTED, call(2)])
    words = line(8, "stderr", b"Please sign in at https://login.example", 100_000)
    found = verdict([*items, words, *end(9, 500_000)])
    assert found.words.endswith('On stderr the server wrote: "Please sign in at https://login.example".')


def test_what_the_server_asks_when_the_client_is_gone_is_no_open_request():
    items = timed([*opening("agent", tools={}), *LISTED])
    asked = line(11, "s2c", message(id=1, method="roots/list"), 2 * SECOND)
    for state, last in ((State.FINISHED, [event(12, "exit", 3 * SECOND, code=0)]), (State.CRASHED, [])):
        found = verdict([*items, event(10, "eof", SECOND, ch="c2s"), asked, *last], state)
        assert found.open == 0


def test_a_subscription_may_stay_open():
    listen = message(
        id=2,
        method="subscriptions/listen",
        params={"_meta": META, "notifications": {"toolsListChanged": True}},
    )
    acknowledged = message(
        method="notifications/subscriptions/acknowledged",
        params={"_meta": {"io.modelcontextprotocol/subscriptionId": 2}, "notifications": {}},
    )
    diagnosis = Diagnosis(None)
    for item in [line(2, "c2s", listen), line(3, "s2c", acknowledged)]:
        diagnosis.feed(item)
    assert diagnosis.verdict().open == 0


# --- calls failed ----------------------------------------------------------------------------


def failed(*lines: bytes) -> Verdict:
    items = timed([*opening("agent", tools={}), *LISTED, *lines])
    found = verdict([*items, *end(len(items) + 2, 20 * SECOND)])
    assert found.outcome is Outcome.CALLS_FAILED
    return found


def test_calls_that_failed_are_counted_with_the_reasons():
    found = failed(
        call(2), said(2, "sunny"), call(3), said(3, "no such city", isError=True), call(4),
        said(4, "no such city", isError=True),
    )  # fmt: skip
    assert found.words == 'Nothing is broken, but 2 of 3 calls failed: `forecast` ("no such city").'


def test_the_only_call_is_no_fraction():
    assert failed(call(2), said(2, "No.", isError=True)).words == (
        'Nothing is broken, but the only call failed: `forecast` ("No").'
    )


def test_other_requests_that_failed_are_counted_too():
    asked = message(id=2, method="resources/read", params={"uri": "a://b"})
    refused = message(id=2, error={"code": -32002, "message": "Resource not found", "data": {"uri": "a://b"}})
    found = verdict(
        [*timed([*opening("agent", resources={}), asked, refused]), *end(9, 20_000)],
    )
    assert found.outcome is Outcome.CALLS_FAILED
    assert found.words == (
        'Nothing is broken, but 1 of 2 requests failed: resources/read ("Resource not found").'
    )


def test_a_call_that_was_called_off_came_to_nothing():
    gone = message(method="notifications/cancelled", params={"requestId": 2, "reason": "user abort"})
    assert failed(call(2), gone).words == (
        "Nothing is broken, but the only call came to nothing: the client cancelled `forecast` after "
        '1.0 ms ("user abort").'
    )


def test_a_remark_on_the_tools_is_made_where_nothing_is_wrong():
    found = failed(call(2), said(2, "Error: file not found"))
    assert found.words == (
        "Nothing is broken, but forecast returned what reads as a failure as ordinary text"
        ' ("Error: file not found").'
    )


# --- not enough seen -------------------------------------------------------------------------


def unclear(items: Iterable[Item], state: State | None = State.FINISHED, **options: Any) -> str:
    found = verdict(items, state, **options)
    assert found.outcome is Outcome.UNCLEAR
    return found.words


def test_nothing_said_proves_no_healthy_server():
    assert unclear([]) == "Nothing was said: neither side sent a single line."
    assert unclear([], None) == "Nothing was said so far."


def test_a_session_without_an_opening_says_that_none_came_about():
    items = timed([message(id=1, method="ping"), message(id=1, result={})])
    assert unclear([*items, *end(4, 20_000)]) == (
        "No session came about: the client sent neither initialize nor server/discover."
    )


WHOLE = [*opening("agent", tools={}), *LISTED]


def test_a_recording_that_is_cut_is_not_called_healthy():
    assert unclear(timed(WHOLE), State.CRASHED) == (
        "What was recorded is in order (1 tool was listed, none was called), "
        "but the recording ends in the middle."
    )


def test_what_waits_where_a_recording_is_cut_may_have_been_answered():
    assert unclear(timed([*WHOLE, call(2)]), State.CRASHED) == (
        "`forecast` had no answer yet where the recording breaks off."
    )


@pytest.mark.parametrize(
    "loss", [Damaged(7, b"", "it is torn"), event(7, "gap", 7000, records=2, why="disk full")]
)
def test_a_recording_with_a_gap_is_not_called_healthy(loss: Item):
    items = [*timed(WHOLE), loss]
    assert unclear([*items, *end(9, 20_000)]) == (
        "What was recorded is in order (1 tool was listed, none was called), but records are missing."
    )
    lost = [*items, line(8, "c2s", call(2), 8000), *end(9, 20_000)]
    assert unclear(lost) == "Records are missing, among them perhaps the answer to `forecast`."


CAPTURE = Evidence(origin="bare lines", times=False, process=False, stderr=False, whole=False)


def captured(items: Iterable[Item]) -> str:
    return unclear(items, State.UNKNOWN, timed=False, evidence=CAPTURE)


def test_a_capture_of_another_tool_is_not_called_healthy():
    assert captured(timed(WHOLE)) == (
        "What this capture shows is in order (1 tool was listed, none was called), "
        "but it does not show everything."
    )
    assert captured(timed([*WHOLE, call(2)])) == (
        "The capture shows no answer to `forecast`: if none came, that is why the agent waits."
    )


def test_a_capture_of_one_side_says_so():
    assert captured([line(2, "s2c", LISTED[1])]) == (
        "Only the server's lines are here: what the other side said was not seen."
    )


def test_lines_of_a_capture_that_were_not_understood_are_counted():
    odd: list[Item] = [Damaged(number, b"x", "it is no message") for number in range(10, 717)]
    assert captured([*timed(LISTED), *odd]) == "2 of 709 lines are MCP: too few to say what happened."
    assert captured(odd) == "No line of it is MCP, of 707: what happened can't be told."


# --- broken ----------------------------------------------------------------------------------


def test_the_silent_case_names_client_and_cause():
    refusal = {"code": -32601, "message": "Method not found"}
    lines = [*opening("agent"), message(id=1, method="tools/list"), message(id=1, error=refusal)]
    found = diagnosed(lines).verdict()
    assert found.outcome is Outcome.BROKEN
    assert found.words.startswith("The server declares nothing that an agent can use; agent asked all the")


def test_an_answer_that_nobody_could_read_is_named_before_its_cause():
    glued = b"fetching Oslo... " + said(2, "sunny")
    found = verdict([*timed([*opening("agent", tools={}), *LISTED, call(2), glued]), *end(9, 20_000)])
    assert found.words.startswith("`forecast` never returned: ")
    glued = b"loading... " + LISTED[1]
    found = verdict([*timed([*opening("agent", tools={}), LISTED[0], glued]), *end(9, 20_000)])
    assert found.words.startswith("The tool list never arrived: ")


def test_an_answer_that_this_client_read_all_the_same_is_not_called_lost():
    odd = [data.replace(b'"id": 0, "result"', b'"id": "0", "result"') for data in opening("agent", tools={})]
    for lines, words in (
        (odd[:2], 'The answer to initialize never arrived: the reply to initialize turned id 0 into "0".'),
        (odd, 'The reply to initialize turned id 0 into "0".'),
    ):
        items = timed(lines)
        assert verdict([*items, *end(9, 20 * SECOND)]).words.startswith(words)


def test_a_request_that_waits_for_what_was_found_is_named_before_it():
    items = timed([*opening("agent", tools={}), message(id=1, method="tools/list")])
    answer = line(6, "s2c", message(id=0, result={"tools": [TOOL]}), 6000)
    found = verdict([*items, answer, *end(7, 20 * SECOND)])
    assert found.words.startswith("The tool list never arrived: the server answered request 0")


def test_what_else_was_found_is_told_if_there_is_room():
    lines = [*opening("agent", tools={}), b"one", message(id=1, method="tools/list")]
    twice = message(id=1, result={"tools": [{"name": "a", "inputSchema": {"type": "object"}}] * 2})
    found = diagnosed([*lines, twice]).verdict()
    assert "times)" not in found.words
    assert 'Besides: "a" is listed twice' in found.words


def test_a_server_that_ends_before_its_client_is_never_healthy():
    items = timed([*opening("agent", tools={}), *LISTED])
    found = verdict([*items, event(7, "eof", 9000, ch="s2c"), event(8, "exit", 9001, code=0)])
    assert found.outcome is Outcome.BROKEN


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("It came (record 7).", "It came."),
        ("It came (id 3, record 7) late.", "It came late."),
        ('It said (record 7: "no") so.', 'It said ("no") so.'),
        ("It said (tools/list, record 7).", "It said (tools/list)."),
        ("Both came (records 3 and 7).", "Both came."),
        ("Record 7 is torn.", "Record 7 is torn."),
    ],
)
def test_a_verdict_has_no_numbers_of_records_in_brackets(text: str, without: str):
    assert without_numbers(text) == without
