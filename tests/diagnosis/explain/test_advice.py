"""What can be done about what waits."""

from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.recording.format.model import Header
from mcptap.recording.reader import State
from tests.diagnosis.sessions import event, line, message, opening

ASKED = message(id=7, method="tools/call", params={"name": "deep", "arguments": {}})


SCHEMA = {"type": "object", "properties": {}}
ABLE = {"roots": {}, "elicitation": {}}
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": ABLE,
    "clientInfo": {"name": "x", "version": "1"},
}
SENT = [message(id=0, method="initialize", params=INITIALIZE), *opening("x", tools={})[1:]]
OPENED = [line(n, "s2c" if n == 3 else "c2s", data, n * 100) for n, data in enumerate(SENT, 2)]


def advised(items, header=None, state=State.LIVE):
    diagnosis = Diagnosis(header)
    for item in items:
        diagnosis.feed(item)
    diagnosis.finish(state)
    return diagnosis.verdict().advice


def test_the_last_line_on_stderr_behind_the_request_is_named():
    items = [*OPENED, line(20, "c2s", ASKED, 1000), line(21, "stderr", b"locking", 2000)]
    assert advised(items) == "The server wrote to stderr since: see record 21, its last line."
    assert advised([*OPENED, line(19, "stderr", b"ready", 900), *items[-2:-1]]) == (
        "Nothing came on stderr since: look in the server at what the handler of `deep` waits for."
    )


def test_a_question_of_the_server_is_pointed_out_before_the_call_that_waits_for_it():
    asks = message(id=1, method="elicitation/create", params={"message": "Which?", "requestedSchema": SCHEMA})
    items = [*OPENED, line(20, "c2s", ASKED, 1000), line(21, "s2c", asks, 2000)]
    assert advised(items) == "Look at the client: elicitation/create may stand there as a question to you."
    items[-1] = line(21, "s2c", message(id=1, method="roots/list"), 2000)
    assert advised(items) == "It is the client that has to answer roots/list, or to refuse it."


def test_of_a_server_that_does_not_open_the_way_of_its_start_is_suspected():
    first = line(2, "c2s", message(id=0, method="initialize", params={}), 1000)
    assert "npx may still be fetching" in advised([first], Header({"argv": ["npx", "-y", "hub"]}))
    assert advised([first]) == "Nothing came on stderr: start the server by hand, and see what it waits for."


def test_there_is_nothing_to_do_about_a_session_that_is_over():
    items = [*OPENED, line(20, "c2s", ASKED, 1000), event(21, "eof", 2000, ch="c2s")]
    assert advised([*items, event(22, "exit", 2001, code=0)], state=State.FINISHED) == ""
