"""Captures of others: what is read, what is said to be unknown, and that nothing is guessed."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.evidence import COMPLETE
from mcptap.captures.format import Beginning
from mcptap.captures.open import Source, open_source
from mcptap.captures.reader import CaptureReader
from mcptap.recording.format.model import Damaged, Event, Line, RecordingError

INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
ANSWER = '{"result":{"capabilities":{}},"id":1,"jsonrpc":"2.0"}'
LIST = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'


def read(data: str | bytes) -> tuple[Source, list]:
    raw = data.encode() if isinstance(data, str) else data
    source = CaptureReader("capture", Beginning(io.BytesIO(raw)))
    return source, list(source.items())


def lines(data: str | bytes) -> list[tuple[int, str, bytes]]:
    return [(i.number, i.channel, i.data) for i in read(data)[1] if isinstance(i, Line)]


def test_bare_lines_take_their_sender_from_the_shape():
    asked = '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}'
    text = "\n".join(
        [
            INITIALIZE,
            ANSWER,
            '{"jsonrpc":"2.0","method":"notifications/initialized"}',
            asked,
            '{"jsonrpc":"2.0","id":1,"result":{"role":"assistant"}}',
            '{"jsonrpc":"2.0","method":"notifications/message","params":{}}',
            LIST,
            '{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}',
        ]
    )
    assert [side for _, side, _ in lines(text)] == ["c2s", "s2c", "c2s", "s2c", "c2s", "s2c", "c2s", "s2c"]


def test_a_bare_line_that_is_no_message_is_blamed_on_nobody():
    source, items = read(f"{INITIALIZE}\nServer ready\n{ANSWER}\n")
    assert [type(i) for i in items] == [Line, Damaged, Line]
    assert not source.evidence.directions
    assert not source.evidence.framing
    assert not source.evidence.whole


def test_bare_messages_may_be_pretty_printed():
    pretty = json.dumps(json.loads(INITIALIZE), indent=2)
    found = lines(f"{pretty}\n{ANSWER}\n")
    assert [number for number, _, _ in found] == [1, pretty.count("\n") + 2]
    assert json.loads(found[0][2]) == json.loads(INITIALIZE)


def test_arrows_tell_the_sender_whatever_stands_before_them():
    text = f"# by hand\n  0.001  --> {INITIALIZE}\n[12:00:01] <-- Server ready\n<-- {ANSWER}\nexit code: 0\n"
    assert lines(text) == [
        (2, "c2s", INITIALIZE.encode()),
        (3, "s2c", b"Server ready"),
        (4, "s2c", ANSWER.encode()),
    ]


def test_a_message_below_its_arrow_is_put_together():
    pretty = json.dumps(json.loads(INITIALIZE), indent=2)
    found = lines(f"--> {pretty}\nsome note\n<-- {ANSWER}\n")
    assert [(side, json.loads(data)["id"]) for _, side, data in found] == [("c2s", 1), ("s2c", 1)]


def test_a_remark_behind_an_arrow_is_no_line():
    found = lines(f"--> {INITIALIZE}\n<-- (no answer)\n<-- … 30 more\n<--\n<-- {ANSWER}\n")
    assert [data for _, _, data in found] == [INITIALIZE.encode(), ANSWER.encode()]


def test_a_shortened_message_is_not_taken_for_a_broken_one():
    _, items = read(f'--> {LIST}\n<-- {{"result":{{"tools":[…]}},"id":2,"jsonrpc":"2.0"}}\n')
    assert [type(i) for i in items] == [Line, Damaged]


def test_a_message_with_a_cut_value_is_left_out():
    _, items = read(
        f'--> {LIST}\n<-- {{"jsonrpc":"2.0","id":2,"result":{{"tools":[{{"name":"get_cur…"}}]}}}}\n'
    )
    assert [type(i) for i in items] == [Line, Damaged]


def test_a_summary_with_arrows_is_refused():
    with pytest.raises(RecordingError, match="no capture"):
        read("--> initialize\n<-- result\n--> tools/list\n")


def test_tagged_lines_keep_their_exact_text():
    text = "\n".join(
        json.dumps({"dir": side, "raw": raw})
        for side, raw in [("s2c", "\ufeffStarting"), ("c2s", INITIALIZE), ("stderr", "loading"), ("s2c", "")]
    )
    assert lines(text) == [
        (1, "s2c", "\ufeffStarting".encode()),
        (2, "c2s", INITIALIZE.encode()),
        (3, "stderr", b"loading"),
        (4, "s2c", b""),
    ]


def test_a_direction_that_depends_on_who_wrote_it_is_refused():
    with pytest.raises(RecordingError, match="does not tell the sender"):
        read(json.dumps({"dir": "out", "raw": INITIALIZE}))


SNOOP = {"session_id": "a", "server_label": "weather", "transport": "stdio", "ts": "2026-07-01T10:00:00Z"}


def snoop(sequence: int, direction: str, **fields: object) -> str:
    return json.dumps(
        {
            **SNOOP,
            "seq": sequence,
            "direction": direction,
            "ts": f"2026-07-01T10:00:00.{sequence:03}123456Z",
            **fields,
        }
    )


def test_mcpsnoop_gives_lines_times_and_launch():
    text = "\n".join(
        [
            json.dumps(
                {**SNOOP, "seq": 1, "direction": "meta", "raw": {"command": ["node", "x.js"], "cwd": "/srv"}}
            ),
            snoop(2, "c2s", raw=json.loads(INITIALIZE)),
            snoop(3, "s2c", text="Server ready"),
            snoop(4, "stderr", text="warming up"),
            snoop(5, "s2c", raw=json.loads(ANSWER)),
        ]
    )
    source, items = read(text)
    assert (source.header.name, source.header.argv, source.header.cwd) == (
        "weather",
        ["node", "x.js"],
        "/srv",
    )
    assert [(i.channel, i.t_us) for i in items] == [
        ("c2s", 2123),
        ("s2c", 3123),
        ("stderr", 4123),
        ("s2c", 5123),
    ]
    assert items[3].value == json.loads(ANSWER)
    assert source.evidence.times
    assert source.evidence.launch
    assert not source.evidence.order


def test_what_mcpsnoop_dropped_or_cut_is_said():
    text = "\n".join(
        [snoop(1, "c2s", raw=json.loads(INITIALIZE)), snoop(4, "s2c", text='{"jsonrpc', truncated=True)]
    )
    _, items = read(text)
    assert [type(i) for i in items] == [Line, Event, Damaged]
    assert items[1].fields["records"] == 2


def test_a_session_over_http_is_refused():
    with pytest.raises(RecordingError, match="over HTTP"):
        read(json.dumps({**SNOOP, "transport": "http", "seq": 1, "direction": "c2s", "raw": {}}))


def test_a_cassette_of_json_lines_is_read():
    text = "\n".join(
        json.dumps(entry)
        for entry in [
            {"type": "header", "cassetteVersion": 2, "startedAt": "2026-08-15T14:00:00Z",
             "command": ["node", "x.mjs"]},
            {"type": "frame", "t": 4, "dir": "c2s", "frame": json.loads(INITIALIZE)},
            {"type": "raw", "t": 5, "dir": "s2c", "data": "Server ready"},
            {"type": "note", "t": 6},
            {"type": "frame", "t": 85, "dir": "s2c", "frame": json.loads(ANSWER)},
        ]
    )  # fmt: skip
    source, items = read(text)
    assert [(i.number, i.channel, i.t_us) for i in items] == [
        (2, "c2s", 4000),
        (3, "s2c", 5000),
        (5, "s2c", 85000),
    ]
    assert not source.evidence.values


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ({"type": "header", "cassetteVersion": 3}, "version 3"),
        ({"type": "header", "cassetteVersion": 2, "transport": "http"}, "over http"),
        ({"format_version": 4, "messages": []}, "version 4"),
    ],
)
def test_a_cassette_that_cannot_be_read_is_refused(header, why):
    with pytest.raises(RecordingError, match=why):
        read(json.dumps(header))


def test_a_cassette_that_is_one_document_is_read():
    document = {
        "format_version": 3,
        "recorded_at": "2026-07-18T19:23:09.805479Z",
        "transport": "stdio",
        "server_info": {"name": "echo", "version": "1"},
        "messages": [
            {
                "seq": 0,
                "t_offset_ms": 125,
                "sender": "client",
                "kind": "request",
                "payload": json.loads(INITIALIZE),
            },
            {"seq": 1, "t_offset_ms": 130, "sender": "server", "kind": "raw", "payload": "Server ready"},
            {"seq": 2, "sender": "nobody"},
        ],
    }
    source, items = read(json.dumps(document, indent=2))
    assert source.header.name == "echo"
    assert [(i.number, type(i)) for i in items] == [(1, Line), (2, Line), (3, Damaged)]
    assert (items[0].channel, items[0].t_us, items[1].data) == ("c2s", 125_000, b"Server ready")


def test_a_recording_of_mcptap_knows_everything(tmp_path: Path):
    path = tmp_path / "session.jsonl"
    path.write_text('{"mcptap":1,"n":1,"k":"header","t":0,"wall":0}\n')
    source = open_source(str(path))
    assert source.evidence is COMPLETE
    assert not COMPLETE.unknown
    source.close()


@pytest.mark.parametrize(
    "text", ["", "\n\n", "hello\n", "[]\n", "{}\n", "42\n", '{"name":"x","version":"1"}\n']
)
def test_what_is_no_capture_is_refused_with_a_sentence(tmp_path: Path, text: str):
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(RecordingError, match=str(path)):
        open_source(str(path))


@pytest.mark.parametrize("path", ["no/such/file", "/", "a\0b"])
def test_what_cannot_be_opened_is_one_sentence(path: str):
    with pytest.raises(RecordingError, match="cannot be"):
        open_source(path)


@given(st.binary(max_size=400) | st.text(max_size=400).map(str.encode))
def test_no_bytes_make_a_decoder_raise_anything_but_its_error(data: bytes):
    heads = [b"", f"{INITIALIZE}\n".encode(), f"--> {INITIALIZE}\n".encode(), b'{"dir":"c2s","raw":"x"}\n',
             f"{snoop(1, 'c2s', raw={})}\n".encode(), b'{"type":"header","cassetteVersion":2}\n']  # fmt: skip
    for head in heads:
        try:
            read(head + data)
        except RecordingError:
            assert head == b"" or head.startswith(b"-->")


NAMES = (
    "dir raw text type frame t data id method result error jsonrpc session_id direction seq ts truncated "
    "transport cassetteVersion startedAt command format_version messages sender payload server_info"
)
KEYS = st.sampled_from(NAMES.split()) | st.text(max_size=3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(st.dictionaries(KEYS, JSON, max_size=6), min_size=1, max_size=4))
def test_no_json_makes_a_decoder_raise_anything_but_its_error(values):
    try:
        source, _ = read("\n".join(map(json.dumps, values)))
    except RecordingError:
        return
    assert source.evidence.unknown


def test_standard_input_is_read_as_a_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "in"
    path.write_text(f"{INITIALIZE}\n{ANSWER}\n")
    with path.open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        source = open_source("-")
        assert source.path == "standard input"
        assert [i.channel for i in source.items()] == ["c2s", "s2c"]


def test_closed_standard_input_is_one_sentence():
    command = [sys.executable, "-m", "mcptap", "check", "-"]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot be opened" in done.stderr
