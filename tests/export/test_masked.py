"""A recording without its secrets, record for record."""

from __future__ import annotations

import io
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.export.masked import MaskedRecording
from mcptap.masking.masker import Masker
from mcptap.recording.format.model import Line
from mcptap.recording.reader import Reader
from tests.export.sessions import SECRETS, with_secrets
from tests.helpers import END, Tape, record

HEADER = b'{"mcptap":1,"n":1,"k":"header","t":0,"wall":0,"name":"x","argv":["srv"],"lock":false}\n'


def masked(data: bytes, masker=None, wanted=None) -> list[bytes]:
    made = MaskedRecording(io.BytesIO(data), masker or Masker(), wanted)
    body = list(made.records_masked())
    return [made.header_masked({}), *body]


def items(records):
    with Reader("x", io.BytesIO(b"".join(records))) as reader:
        return [*reader.items(), *reader.unfinished()]


def test_only_records_with_secrets_change_and_say_so(tmp_path):
    with open(with_secrets(tmp_path / "a.jsonl"), "rb") as file:
        before = file.readlines()
    after = masked(b"".join(before))
    assert not [secret for secret in SECRETS if secret.encode() in b"".join(after)]
    assert len(before) == len(after)
    changed = [n for n, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    marked = [n for n, line in enumerate(after) if json.loads(line).get("masked") is True]
    assert changed == [0, *marked]
    assert len(marked) == 4
    assert all(
        item.is_exact is (item.number - 1 not in marked) for item in items(after) if type(item) is Line
    )
    note = json.loads(after[0])["export"]
    assert (note["records"], note["changed"]) == (len(before) - 1, 4)
    assert note["masked"]['value of "password"'] == 2


def long_line(tmp_path, content: bytes, cut: bool = False) -> bytes:
    """A line that came in several reads, with one of another channel between them."""
    with Tape(tmp_path / "long.jsonl") as tape:
        for at in range(0, len(content), 200_000):
            tape.play([("s2c", content[at : at + 200_000]), ("stderr", b"meanwhile\n")])
        if not cut:
            tape.play([("s2c", b"\n"), *END])
    return (tmp_path / "long.jsonl").read_bytes()


def test_a_secret_in_two_parts_of_a_long_line_is_masked_and_the_rest_stays(tmp_path):
    text = "ä" * 299_996 + " ghp_" + "A1b2C3d4E5" * 4 + " end " + "x" * 100_000
    data = long_line(tmp_path, json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"text": text}}).encode())
    assert data.count(b'"k":"part"') > 2
    after = masked(data)
    assert b"A1b2C3d4" not in b"".join(after)
    assert len(after) == data.count(b"\n")
    (line,) = [item for item in items(after) if type(item) is Line and item.channel == "s2c"]
    said = json.loads(line.data)["result"]["text"]
    assert said.startswith("ä" * 299_996 + " ‹masked:")
    assert said.endswith("› end " + "x" * 100_000)


def test_parts_without_a_secret_stay_as_they_are(tmp_path):
    data = long_line(tmp_path, b'{"a":"' + b"y" * 700_000 + b'"}')
    assert b"".join(masked(data)[1:]) == data.partition(b"\n")[2]


def test_a_secret_at_the_end_of_a_line_that_never_ended_is_masked(tmp_path):
    data = long_line(tmp_path, b"z" * 210_000 + b" ghp_A1b2C3d4", cut=True)
    after = masked(data)
    assert b"ghp_" not in b"".join(after)
    assert b"masked:" in items(after)[-1].data


def test_damage_is_masked_and_stays_damage_at_its_place():
    body = b'{"n":2,"k":"line","password":"hunter22"\nno record, token=abcd1234efgh\n\n{"k":1}\n'
    after = masked(HEADER + body + b'{"n":6,"k":"spa')
    assert b"hunter22" not in b"".join(after)
    assert b"abcd1234" not in b"".join(after)
    assert len(after) == 6
    assert after[3:] == [b"\n", b'{"k":1}\n', b'{"n":6,"k":"spa']


def test_with_a_filter_lines_keep_their_parts(tmp_path):
    data = long_line(tmp_path, b'{"a":"' + b"y" * 700_000 + b'"}')
    whole = items([data])
    (line,) = [item for item in whole if type(item) is Line and item.channel == "s2c"]
    kept = items(masked(data, wanted={line.number}))
    assert [item.data for item in kept] == [line.data]


TEXTS = st.lists(
    st.sampled_from(
        [
            b"password=hunter22x",
            b'{"token":"',
            b'abcd1234"}',
            b"ghp_",
            b"A1b2" * 6,
            b" ",
            b"\n",
            b"\r\n",
            b"\xff",
            b"{}",
        ]
    ),
    max_size=12,
)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from(["c2s", "s2c", "stderr"]), TEXTS), max_size=6))
def test_any_recording_keeps_its_records_and_loses_its_secrets(tmp_path_factory, steps):
    path = tmp_path_factory.mktemp("x") / "r.jsonl"
    record(path, [(channel, b"".join(pieces)) for channel, pieces in steps if pieces])
    before = path.read_bytes().splitlines(keepends=True)
    masker = Masker(b"k")
    after = masked(b"".join(before), masker)
    assert len(after) == len(before)
    for old, new in zip(items(before), items(after), strict=True):
        assert (type(old), old.number, getattr(old, "channel", "")) == (
            type(new),
            new.number,
            getattr(new, "channel", ""),
        )
    assert b"hunter22x" not in b"".join(after)
