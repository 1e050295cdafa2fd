"""A transcript with placeholders: written from a session, and read again."""

import pytest

from mcptap.errors import UserError
from mcptap.masking.masker import Masker
from mcptap.play.send import expectation
from mcptap.play.server.stop import Exit
from mcptap.recording.format.model import Line
from tests.helpers import as_bytes
from tests.play.sessions import c2s, call, request, result, s2c

NOW_US = 1_795_989_600_000_000


def written(*rows) -> list[str]:
    """The lines that are no notes."""
    items = [
        Line(number, channel, as_bytes(message).rstrip(b"\n"), b"\n", 0, 0, 0)
        for number, (channel, _, message) in enumerate(rows, 1)
    ]
    lines = expectation.written(items, Exit(0, None), Masker(), NOW_US)
    text = b"".join(lines).decode(errors="surrogateescape")
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_times_ids_and_states_have_placeholders_and_all_else_stands_as_it_came():
    rows = [
        *call(7, "at 9:59:00 PM, pid 4711, 2026-11-29, born 1985-03-04, deadbeef0123"),
        c2s(request(8, "tools/list")),
        s2c(b'{"id":8,  "result":{"tools":[],"nextCursor":"opaque","_meta":{"port":49152,"n":3}}}'),
    ]
    lines = written(*rows)
    assert "at ‹time›, pid ‹pid›, ‹date›, born 1985-03-04, ‹id›" in lines[1]
    assert lines[3] == (
        '<-- {"id":8,  "result":{"tools":[],"nextCursor":"‹state›","_meta":{"port":"‹port›","n":3}}}'
    )
    assert lines[-1] == "exit code: 0"


def test_what_a_server_promises_and_what_is_asked_stays_as_it_is():
    tool = {"name": "wait", "description": "Waits 5 ms", "inputSchema": {"maximum": 1_700_000_000}}
    lines = written(c2s(request(1, "tools/list", at="10:00:00")), s2c(result(1, tools=[tool])))
    assert "10:00:00" in lines[0]
    assert "Waits 5 ms" in lines[1]
    assert "1700000000" in lines[1]


def test_secrets_are_masked_and_stray_lines_have_placeholders_too():
    secret = c2s(request(1, "x", apiKey="k3y0123456789"))
    lines = written(secret, s2c(b"ready at 22:00:01 \xff"), s2c(result(1)))
    assert "k3y0123" not in lines[0]
    assert lines[1] == "<-- ready at ‹time› \udcff"


def test_what_was_written_can_be_read_with_notes_of_the_user(tmp_path):
    file = tmp_path / "e"
    file.write_text("\n".join(["# mine", "note", *written(*call(7, "3"), s2c(b"(ready)"))]))
    session, end = expectation.read(str(file))
    (exchange,) = session.exchanges
    assert exchange.answer is not None
    assert [message.line.data for message in session.others] == [b"(ready)"]
    assert (end, session.is_timed) == ("exit code: 0", False)


def test_only_a_file_of_its_own_is_replaced(tmp_path):
    file = tmp_path / "e"
    expectation.require_free(str(file))
    expectation.save(str(file), expectation.EXPLANATION.encode())
    expectation.require_free(str(file))
    file.write_text("mine")
    with pytest.raises(UserError, match="name another"):
        expectation.require_free(str(file))
    with pytest.raises(UserError, match="cannot be written"):
        expectation.save(str(tmp_path / "no" / "e"), b"")
    with pytest.raises(UserError, match="expects nothing"):
        expectation.read(str(file))
