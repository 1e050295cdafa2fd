"""`recordings/` is enough to read recordings: schema, vectors and samples agree with writer and reader."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mcptap.recording import writer
from mcptap.recording.format import events, lines
from mcptap.recording.format.model import Damaged, Line
from mcptap.recording.reader import Reader
from mcptap.shim.launch import Launch
from mcptap.wire import CHANNELS
from tests.helpers import END, Tape, header
from tests.recording.independent_reader import Reading

FOLDER = Path(__file__).parents[2] / "recordings"
SCHEMA = json.loads((FOLDER / "schema.json").read_text())
VECTORS: dict[str, Any] = json.loads((FOLDER / "vectors.json").read_text())
NAMES = sorted(VECTORS)
WRITTEN = [name for name in NAMES if name not in ("vectors/damaged.jsonl", "vectors/rewritten.jsonl")]

EVENTS = [
    events.spawn(1),
    events.paths([1, 4], [2]),
    events.paths([], []),
    events.failed_spawn(2, "cannot start \udcff", 127),
    events.eof("c2s"),
    events.eof("s2c", events.RECEIVER_CLOSED),
    events.signal("SIGTERM", 0, forwarded=False),
    events.blocked("stderr", 1_500_000),
    events.gap(2, 300, 5, "cannot write"),
    events.gap(0, 0, 5, "cannot stand in between", rest=True),
    events.question("a batch"),
    events.question(),
    events.log("Client closed", "error"),
    events.exited(3, None, 17),
    events.exited(None, "SIGKILL", 17, [5, 6]),
]


@pytest.fixture(scope="module")
def schema() -> Any:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    return jsonschema.Draft202012Validator(SCHEMA)


def test_every_sample_has_a_vector() -> None:
    assert {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.jsonl")} == set(VECTORS)


@pytest.mark.parametrize("name", WRITTEN)
def test_the_schema_holds_for_what_was_written(schema: Any, name: str) -> None:
    for line in (FOLDER / name).read_bytes().splitlines():
        schema.validate(json.loads(line))


def test_the_schema_holds_for_every_event(schema: Any) -> None:
    for event in EVENTS:
        schema.validate(json.loads(events.encode_event(2, (3, 4), event)))


def test_the_schema_holds_for_the_headers_of_the_tap_and_of_the_tests(schema: Any) -> None:
    environ = {b"PATH": b"/bin", b"TOKEN": b"${TOKEN}", b"ODD": b"\xff"}
    launch = Launch([b"\xff", "ü".encode()], None, environ, "server")
    launch.divert = True
    schema.validate(json.loads(launch.header(locked=False)))
    schema.validate(json.loads(header()))


def test_the_schema_holds_for_every_kind_of_line(
    schema: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "LINE_LIMIT", 8)
    chunks = [b"{}\n", b"a\r\n\xff\n", b"12", b"34\r\n", b"long line", b" of parts\n", b"{}\n" * 2000, b"end"]
    with Tape(tmp_path / "x.jsonl") as tape:
        tape.play([*(("s2c", chunk) for chunk in chunks), *END])
    records = [json.loads(line) for line in Path(tape.path).read_bytes().splitlines()]
    for record in {(record["k"], *record): record for record in records}.values():
        schema.validate(record)  # one of each shape: 2,000 short lines are alike but for their numbers
    assert {name for record in records for name in record} >= {
        "t0",
        "eol",
        "from",
        "at",
        "msg",
        "text",
        "b64",
    }


def test_the_schema_holds_for_a_line_that_was_diverted(schema: Any) -> None:
    record = lines.encode_line(
        3, (1, 2), b"s2c", lines.EOL % lines.CRLF + lines.DIVERTED % 4, b'"text":"text"'
    )
    schema.validate(json.loads(record))


@pytest.mark.parametrize(
    "wrong",
    [
        {"n": 2, "k": "line", "t": 1, "wall": 1, "ch": "s2c"},
        {"n": 2, "k": "line", "t": 1, "wall": 1, "ch": "s2c", "msg": 1, "text": "1"},
        {"n": 2, "k": "spawn", "t": 1, "wall": 1},
        {"n": 2, "k": "exit", "t": 1, "wall": 1, "us": 1, "code": 1, "signal": "SIGKILL"},
        {**json.loads(header()), "stdio": {"stdin": "pipe"}},
    ],
)
def test_the_schema_refuses_what_is_never_written(schema: Any, wrong: dict[str, Any]) -> None:
    assert not schema.is_valid(wrong)


@pytest.mark.parametrize("name", NAMES)
def test_a_reader_made_from_the_specification_alone_gets_the_vectors(name: str) -> None:
    found, wanted = Reading((FOLDER / name).read_bytes()), VECTORS[name]
    check_bytes(found.bytes, wanted)
    check_delivered(found.delivered, wanted)
    assert (found.damaged, found.unfinished) == (wanted["damaged"], wanted["unfinished"])
    assert found.not_exact == {int(number): value for number, value in wanted["not exact"].items()}
    assert found.finished is wanted["finished"]


@pytest.mark.parametrize("name", NAMES)
def test_the_reader_gets_the_vectors(name: str) -> None:
    wanted = VECTORS[name]
    with Reader(str(FOLDER / name)) as reader:
        items, unfinished = list(reader.items()), reader.unfinished()
        assert reader.ended is wanted["finished"]
    lines = [item for item in [*items, *unfinished] if isinstance(item, Line)]
    check_bytes(
        {c: b"".join(x.raw for x in lines if x.channel == c and x.is_exact) for c in CHANNELS}, wanted
    )
    check_delivered(b"".join(x.delivered for x in lines if x.channel == "s2c"), wanted)
    assert [item.number for item in items if isinstance(item, Damaged)] == wanted["damaged"]
    assert [line.number for line in unfinished] == wanted["unfinished"]
    inexact = {str(line.number): json.loads(line.data) for line in lines if not line.is_exact}
    assert inexact == wanted["not exact"]


def check_delivered(found: bytes, wanted: dict[str, Any]) -> None:
    if "delivered" in wanted:
        assert len(found) == wanted["delivered"]["bytes"] < wanted["channels"]["s2c"]["bytes"]
        assert hashlib.sha256(found).hexdigest() == wanted["delivered"]["sha256"]


def check_bytes(found: dict[str, bytes], wanted: dict[str, Any]) -> None:
    for channel, data in found.items():
        vector = wanted["channels"][channel]
        assert base64.b64decode(vector.get("base64", "")) in (data, b"")
        assert (len(data), hashlib.sha256(data).hexdigest()) == (vector["bytes"], vector["sha256"])


def test_the_page_names_every_field_of_the_schema() -> None:
    page = set(re.findall(r"`(\w+)`", (FOLDER / "README.md").read_text()))
    assert set(fields(SCHEMA["$defs"])) <= page


def fields(schema: Any) -> Iterator[str]:
    """Names of all properties, at any depth."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for value in schema.values():
            yield from fields(value)
