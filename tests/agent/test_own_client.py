import os

import pytest

from mcptap.agent.own_client import is_this_server, own_client, own_tap
from mcptap.recording.library import header_of
from tests.helpers import Tape, record


def test_a_sibling_was_started_by_the_same_process_and_not_by_an_earlier_one_of_its_number(tmp_path):
    client = own_client(None)
    assert client.pid == os.getppid()
    parent = {"pid": client.pid, "name": "agent"}
    mine = record(tmp_path / "a.jsonl", [], parent=parent, wall=1 << 52)
    earlier = record(tmp_path / "b.jsonl", [], parent=parent, wall=1)
    other = record(tmp_path / "c.jsonl", [], parent={"pid": client.pid + 1, "name": "agent"})
    assert [client.started(str(path), header_of(str(path))) for path in (mine, earlier, other)] == [
        True,
        False,
        False,
    ]


def test_behind_a_tap_the_client_is_the_one_that_started_the_tap(tmp_path):
    with Tape(tmp_path / "a.jsonl", pid=os.getppid(), parent={"pid": 1, "name": "agent"}) as tape:
        header = header_of(tape.path)
        assert own_tap(tape.path, header)
        assert own_client(header).pid == 1
    assert not own_tap(tape.path, header)  # it ended: another process has that number now


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["/usr/bin/mcptap", "mcp"], True),
        (["python3", "-m", "mcptap", "mcp", "--all"], True),
        (["/x/mcptap-python", "mcp"], True),
        (["mcptap", "mock", "mcp"], False),
        (["mcp", "run"], False),
        (["npx", "mcp"], False),
        ([], False),
    ],
)
def test_sessions_of_this_server_are_known_by_their_command(tmp_path, argv, expected):
    path = record(tmp_path / "a.jsonl", [], argv=argv)
    assert is_this_server(header_of(str(path))) is expected
