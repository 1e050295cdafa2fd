"""A session as a whole: which revision a message follows, and how it ended."""

import pytest

from mcptap.protocol.model.message import Kind, Match, Message, classify
from mcptap.protocol.model.parts.progress import RACE_US
from mcptap.protocol.model.request import RequestState
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions import NEWEST_STATELESS
from mcptap.protocol.revisions.names import META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_VERSION
from mcptap.recording.format.model import Damaged, Header
from tests.diagnosis.sessions import line, message
from tests.helpers import error, handshake, notification, request, result
from tests.protocol.fed import Fed

META = {
    META_VERSION: str(NEWEST_STATELESS),
    META_CLIENT_CAPABILITIES: {"roots": {}},
    META_CLIENT_INFO: {"name": "agent"},
}


def shaken(version="2025-06-18", **options) -> Fed:
    """A session after its handshake."""
    fed = Fed(Session(**options))
    for channel, content in handshake(version)[1:]:
        (fed.client if channel == "c2s" else fed.server)(content)
    return fed


def test_messages_follow_the_revision_that_was_agreed_on():
    fed = shaken()
    for sent in (fed.client(request(1, "ping")), fed.server(result(1)), fed.server(b"Server ready\n")):
        assert sent.revision == "2025-06-18"
    assert fed.session.revision == fed.session.agreed_revision == "2025-06-18"
    assert not fed.session.is_stateless


def test_a_request_that_names_its_revision_follows_that_even_behind_a_handshake():
    fed = shaken()
    asked = fed.client(request(1, "tools/list", {"_meta": META}))
    plain = fed.client(request(2, "tools/list"))
    assert (asked.revision, plain.revision) == (NEWEST_STATELESS, "2025-06-18")
    assert fed.server(result(1)).revision == NEWEST_STATELESS


def test_a_session_is_stateless_from_the_first_such_request_on():
    fed = Fed()
    fed.client(request(1, "tools/list", {"_meta": META}))
    assert (fed.session.is_stateless, fed.session.agreed_revision) == (True, NEWEST_STATELESS)
    assert not fed.session.stateless.proven
    fed.server(result(1))
    assert (fed.session.is_stateless, fed.session.revision) == (True, NEWEST_STATELESS)
    bare = fed.client(request(2, "tools/list"))
    assert (bare.revision, bare.request.missing_meta) == (NEWEST_STATELESS, META_VERSION)


def test_what_the_client_can_is_told_by_the_request_itself_or_by_the_handshake():
    fed = shaken()
    own = fed.client(request(1, "tools/call", {"name": "t", "_meta": META})).request
    ordinary = fed.client(request(2, "tools/call", {"name": "t"})).request
    assert fed.session.client_capabilities_for(own) == {"roots": {}}
    assert fed.session.client_capabilities_for(ordinary) == {}
    own.params = None
    assert fed.session.client_capabilities_for(own) is None


def test_the_client_of_a_stateless_session_names_itself_in_its_first_request():
    fed = Fed()
    fed.client(request(1, "tools/list", {"_meta": META}))
    fed.client(request(2, "tools/list", {"_meta": {**META, META_CLIENT_INFO: {"name": "other"}}}))
    assert fed.session.client.info == {"name": "agent"}


def test_progress_belongs_to_the_request_that_gave_its_token():
    fed = shaken()
    asked = fed.client(request(1, "tools/call", {"name": "t", "_meta": {"progressToken": "p"}})).request
    fed.wait(500)
    told = fed.server(notification("notifications/progress", {"progressToken": "p", "progress": 1}))
    stray = fed.server(notification("notifications/progress", {"progressToken": "q", "progress": 1}))
    assert (told.request, stray.request) == (asked, None)
    assert asked.progress_us == 500


def test_a_cursor_that_no_page_gave_is_noted():
    fed = shaken()
    fed.ask(1, "tools/list", answer={"tools": [], "nextCursor": "2"})
    good, bad = (
        fed.client(request(2, "tools/list", {"cursor": "2"})),
        fed.client(request(3, "tools/list", {"cursor": "x"})),
    )
    assert (good.match, bad.match, bad.request.bad_cursor) == (None, Match.BAD_CURSOR, True)


def test_what_an_answer_says_is_learned_only_if_it_was_asked_for():
    fed = shaken()
    fed.server(result(7, {"tools": [{"name": "forged"}]}))
    assert fed.session.listings.tools == {}
    fed.ask(1, "tools/list", answer={"tools": [{"name": "real"}]})
    fed.ask(2, "logging/setLevel", {"level": "error"})
    fed.ask(3, "resources/subscribe", {"uri": "file:///a"})
    fed.ask(4, "resources/unsubscribe", {"uri": "file:///a"})
    session = fed.session
    assert session.listings.tools.keys() == {"real"}
    assert session.log_levels.level == "error"
    assert session.subscriptions.resources == {"file:///a": fed.t_us}


def test_a_task_keeps_the_token_of_the_request_that_made_it():
    fed = shaken("2025-11-25")
    fed.ask(
        1,
        "tools/call",
        {"name": "t", "_meta": {"progressToken": "p"}},
        {"task": {"taskId": "a", "status": "working"}},
    )
    fed.wait(2 * RACE_US)
    fed.ask(
        2,
        "tasks/get",
        {"taskId": "a", "_meta": {"progressToken": "q"}},
        {"taskId": "a", "status": "completed"},
    )
    assert fed.session.tasks.last_step.before == "working"
    assert fed.session.progress["c2s"].find("p") is not None


def test_an_answer_inside_a_broken_line_counts_though_no_client_reads_it():
    fed = shaken()
    asked = fed.client(request(1, "tools/list")).request
    broken = line(9, "s2c", b"log " + message(id=1, result={"tools": [{"name": "t"}]}))
    inner = classify(line(9, "s2c", message(id=1, result={"tools": [{"name": "t"}]})))
    fed.session.feed(broken)
    fed.session.take_embedded(inner)
    assert (asked.state, inner.request) == (RequestState.UNREADABLE, asked)
    assert fed.session.listings.tools.keys() == {"t"}


def test_a_line_that_never_ended_loses_the_request_whose_id_it_shows():
    fed = shaken()
    asked = fed.client(request(5, "tools/list")).request
    cut = classify(line(9, "s2c", b'{"jsonrpc":"2.0","id":5,"result":{"too', 700))
    fed.session.take_unfinished(cut)
    assert (cut.lost, asked.state, fed.session.now_us) == (True, RequestState.UNREADABLE, 700)
    assert fed.session.unfinished == [cut]


@pytest.mark.parametrize(
    ("events", "by_client", "end_us"),
    [
        ([("eof", {"ch": "c2s"}), ("exit", {"code": 0})], True, 100),
        ([("signal", {"signal": "SIGTERM"}), ("exit", {"signal": "SIGTERM"})], True, 100),
        ([("exit", {"code": 1}), ("eof", {"ch": "c2s"})], False, 100),
        ([("eof", {"ch": "c2s", "why": "receiver closed"}), ("exit", {"code": 1})], False, 200),
    ],
)
def test_who_ended_a_session_and_when(events, by_client, end_us):
    fed = shaken()
    asked = fed.client(request(1, "ping")).request
    for kind, fields in events:
        fed.wait(100)
        fed.event(kind, **fields)
    session = fed.session
    assert (session.client_ended(asked), session.end_us, session.broke_off) == (by_client, end_us, False)


def test_a_recording_without_an_end_broke_off_at_its_last_item():
    fed = shaken()
    fed.wait(100)
    fed.client(request(1, "ping"))
    assert (fed.session.broke_off, fed.session.end_us) == (True, 100)


def test_messages_may_only_have_crossed_where_times_are_known():
    assert Session().raced(0, RACE_US)
    assert not Session().raced(0, RACE_US + 1)
    assert not Session(timed=False).raced(0, 0)


def test_damage_and_events_are_no_messages():
    session = Session()
    assert session.feed(Damaged(2, b"x", "why")) is None
    fed = Fed(session)
    fed.event("spawn", pid=7)
    assert session.process.spawn is not None
    assert session.traffic.lines == 0


def test_stderr_is_kept_apart_from_the_traffic():
    session = Session()
    logged = session.feed(line(2, "stderr", b"INFO ready"))
    assert isinstance(logged, Message)
    assert logged.kind is Kind.LOG
    assert session.traffic.lines == 0
    assert list(session.process.stderr) == [(2, "INFO ready")]


def test_extensions_of_either_side_are_known():
    fed = shaken()
    assert not fed.session.has_extensions
    fed.session.server.capabilities = {"experimental": {"x": {}}}
    assert fed.session.has_extensions


def test_a_refused_discovery_leaves_the_session_to_the_handshake():
    fed = Fed()
    fed.client(request(0, "server/discover", {"_meta": META}))
    fed.server(error(0, -32601, "Method not found"))
    assert fed.session.revision == NEWEST_STATELESS
    fed.client(request(1, "initialize", {"protocolVersion": "2025-06-18"}))
    assert fed.session.revision == "2025-06-18"


def test_how_long_a_live_session_was_watched_tells_nothing_about_its_end():
    session = Session(Header({"wall": 1_000_000}))
    session.note_present(61_000_000)
    assert session.end_us == 60_000_000
    session.close()
    assert session.end_us == 0
