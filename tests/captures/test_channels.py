"""Files that hold one channel each."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.channels import ChannelsReader, named_channels
from mcptap.captures.open import open_source
from mcptap.recording.format.model import Damaged, Line, RecordingError
from tests.captures.reading import ANSWER, INITIALIZE


@pytest.mark.parametrize(
    ("path", "channels"),
    [
        ("s2c=out.tee", {"s2c": "out.tee"}),
        ("c2s=a,b=c,s2c=d,e", {"c2s": "a,b=c", "s2c": "d,e"}),
        ("c2s=a,s2c=b,stderr=c", {"c2s": "a", "s2c": "b", "stderr": "c"}),
        ("s2c=-", {"s2c": "-"}),
        ("out.tee", {}),
        ("s2c=", {}),
        ("x,s2c=a", {}),
        ("in=a", {}),
    ],
)
def test_a_channel_is_named_before_its_file(path: str, channels: dict[str, str]):
    assert named_channels(path) == channels


def test_a_file_that_is_called_so_is_a_file(tmp_path: Path):
    path = tmp_path / "s2c=x"
    path.touch()
    assert named_channels(str(path)) == {}
    assert named_channels("s2c=x") == {"s2c": "x"}


def test_a_channel_that_is_named_twice_is_refused():
    with pytest.raises(RecordingError, match="twice"):
        named_channels("s2c=a,s2c=b")


def reader(**files: bytes) -> ChannelsReader:
    return ChannelsReader("x", {channel: io.BytesIO(data) for channel, data in files.items()})


@given(
    st.lists(
        st.sampled_from([b"\xef\xbb\xbf", b"\n", b"\r\n", b"text", b'{"a":1}', b"\xff\x00"]), max_size=12
    )
)
def test_every_byte_of_a_channel_is_known(pieces: list[bytes]):
    data = b"".join(pieces)
    source = reader(s2c=data)
    items = list(source.items())
    assert b"".join(item.raw for item in items if isinstance(item, Line)) == data
    assert [item.number for item in items] == list(range(1, len(items) + 1))
    assert source.position == len(data)
    assert source.evidence.framing
    assert not source.evidence.client


def message(**members: object) -> bytes:
    return json.dumps(members).encode() + b"\n"


def test_no_answer_stands_before_its_request():
    asked = [message(id=i, method="tools/call") for i in (1, 2, 3)]
    client = [
        asked[0],
        message(method="notifications/initialized"),
        asked[1],
        asked[2],
        message(id=9, result={}),
    ]
    server = [
        b"ready\n",
        message(id=1, result={}),
        b'text {"jsonrpc": "2.0", ' + message(id=3, result={})[1:],
        message(id=9, method="ping"),
        message(id=2, result={}),
        message(id=77, result={}),
    ]
    source = reader(c2s=b"".join(client), s2c=b"".join(server), stderr=b"loading\n")
    items = list(source.items())
    order = [item.raw for item in items if isinstance(item, Line)]
    assert sorted(order) == sorted([*client, *server, b"loading\n"])
    for channel, data in (("c2s", client), ("s2c", server)):
        assert [item.raw for item in items if isinstance(item, Line) and item.channel == channel] == data
    for request, answer in (
        (client[0], server[1]),
        (client[3], server[2]),
        (server[3], client[4]),
        (client[2], server[4]),
    ):
        assert order.index(request) < order.index(answer)
    assert order.index(server[1]) < order.index(client[1])
    assert source.evidence.whole
    assert not source.evidence.order


def test_one_side_alone_is_not_the_whole_session():
    for channel, unknown in (("c2s", "what the server sent"), ("s2c", "what the client sent")):
        evidence = reader(**{channel: b"x\n"}).evidence
        assert unknown in evidence.unknown
        assert not evidence.whole


def test_a_line_too_long_to_keep_is_damage(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("mcptap.captures.channels.MAX_RECORD", 10)
    monkeypatch.setattr("mcptap.captures.channels.BLOCK", 4)
    items = list(reader(s2c=b"x" * 30 + b"\nok\n" + b"y" * 30).items())
    assert [type(item) for item in items] == [Damaged, Line, Damaged]


def test_files_are_opened_together_or_refused(tmp_path: Path):
    client, server = tmp_path / "in", tmp_path / "out"
    client.write_text(f"{INITIALIZE}\n")
    server.write_text(f"{ANSWER}\n")
    source = open_source(f"c2s={client},s2c={server}")
    assert [item.channel for item in source.items() if isinstance(item, Line)] == ["c2s", "s2c"]
    assert source.state().name == "UNKNOWN"
    assert source.unfinished() == []
    source.close()
    server.write_bytes(b"\x1f\x8b\x08")
    with pytest.raises(RecordingError, match="gzip"):
        open_source(f"c2s={client},s2c={server}")
    server.write_text('{"mcptap":1,"n":1,"k":"header","t":0,"wall":0}\n')
    with pytest.raises(RecordingError, match="knows its channels"):
        open_source(f"c2s={client},s2c={server}")
    server.write_bytes(b"")
    with pytest.raises(RecordingError, match="empty"):
        open_source(f"s2c={server}")
