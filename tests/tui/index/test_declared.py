"""What sides declare without a handshake."""

import os

from mcptap.protocol.revisions.names import META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_VERSION
from mcptap.tui.session.tabs.capabilities import capability_lines
from tests.helpers import END, record, request, result
from tests.tui.screens import fed, lines_of

META = {
    META_VERSION: "2026-07-28",
    META_CLIENT_CAPABILITIES: {"elicitation": {}},
    META_CLIENT_INFO: {"name": "agent", "version": "9"},
}
LIST = [
    ("c2s", request(1, "tools/list", {"_meta": META})),
    ("s2c", result(1, {"resultType": "complete", "tools": []})),
]


def page(tmp_path, steps):
    feed = fed(os.fspath(record(tmp_path / "x.jsonl", steps)))
    judgement = feed.judgement
    feed.close()
    return lines_of(capability_lines(judgement, judgement.statistics, 100))


def test_a_stateless_client_declares_in_each_request_and_a_server_that_nobody_asked_is_not_known(tmp_path):
    lines = page(tmp_path, [*LIST, *END])
    assert any("client" in line and "agent 9" in line for line in lines)
    assert any(line.startswith("● elicitation") for line in lines)
    assert any(line.startswith("not known: this session has no handshake") for line in lines)
    assert not any("never answered" in line for line in lines)


def test_a_handshake_that_was_never_answered_is_told(tmp_path):
    asked = request(1, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}})
    lines = page(tmp_path, [("c2s", asked), *END])
    assert any("the opening of the session was never answered" in line for line in lines)
