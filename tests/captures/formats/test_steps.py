"""Sessions written step by step: the same items as of a recording that the real writer makes."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.formats.steps import StepError, Steps
from mcptap.recording.format.model import Damaged, Event, Item, Line
from mcptap.recording.reader import Reader, State
from tests.captures.reading import read
from tests.helpers import END, SPAWN, Step, Tape, text_result

SCRIPT: list[tuple[str, list[Step]]] = [
    ("* the server starts", [SPAWN]),
    ('--> {"id":1}', [("c2s", b'{"id":1}\n')]),
    (r"<~- caf\xe9\r\none\ntwo", [("s2c", b"caf\xe9\r\none\ntwo")]),
    ("err warm\tup", [("stderr", b"warm\tup\n")]),
    ("* 2.5 seconds pass", [("wait", 2_500_000)]),
    (r"<~- three\n", [("s2c", b"three\n")]),
    (r"er~ \x00", [("stderr", b"\0")]),
    ("* a good answer to 7, of 20 bytes", [("s2c", text_result(7, "x" * 20))]),
    ("* stdin is blocked for 8 seconds", [("blocked", {"ch": "c2s", "us": 8_000_000})]),
    ("* the tap receives SIGTERM", [("signal", {"signal": "SIGTERM", "forwarded": True})]),
    ('* event novelty {"a":[1]}', [("novelty", {"a": [1]})]),
]


def made(*lines: str) -> list[Item]:
    steps = Steps()
    return [item for line in lines for item in steps.feed(line)] + steps.finish()


def facts(item: Item) -> tuple[object, ...]:
    if isinstance(item, Line):
        return (item.number, item.channel, item.data, item.eol, item.t_us, item.wall_us)
    assert isinstance(item, Event)
    own = {k: v for k, v in item.fields.items() if k not in ("n", "k", "t", "wall")}
    return (item.number, item.kind, own, item.t_us, item.wall_us)


def test_steps_are_the_items_that_the_writer_records(tmp_path: Path):
    with Tape(tmp_path / "x.jsonl") as tape:
        for _, steps in SCRIPT:
            tape.play(steps)
        tape.play(END)
    with Reader(tape.path) as reader:
        recorded = list(reader.items())
    assert [facts(item) for item in made(*(line for line, _ in SCRIPT))] == [facts(item) for item in recorded]


def test_a_session_among_other_text_is_read_up_to_the_next_one():
    reader, items = read(
        "a rule\n--> what is this\n\n"
        '  known: everything but times\n  * the launch: {"cwd":"/srv"}\n'
        '  --> {"id":1}\n  * the session goes on\n'
        'quiet:\n  known: everything\n  --> {"id":2}\n'
    )
    assert [facts(item)[:3] for item in items] == [(2, "c2s", b'{"id":1}')]
    assert reader.header.cwd == "/srv"
    assert reader.header.argv == ["python", "weather.py"]
    assert reader.evidence.unknown == ["times"]
    assert reader.evidence.assumptions
    assert reader.state() is State.LIVE


@pytest.mark.parametrize(
    ("end", "state", "last"),
    [
        ("* the server exits with 3", State.FINISHED, ("exit", {"code": 3, "us": 1_000_000})),
        (
            "* the server is killed by SIGSEGV",
            State.FINISHED,
            ("exit", {"signal": "SIGSEGV", "us": 1_000_000}),
        ),
        ("* the recording breaks off", State.CRASHED, None),
        ("* the session goes on", State.LIVE, None),
    ],
)
def test_a_session_that_names_its_end_gets_no_other(end: str, state: State, last: object):
    reader, items = read(f"known: everything\n<~- begun\n{end}\n")
    assert reader.state() is state
    assert [(i.kind, i.fields) for i in items if isinstance(i, Event)] == ([last] if last else [])
    assert [(line.data, line.complete) for line in reader.unfinished()] == [(b"begun", False)]


def test_a_line_that_is_no_step_is_damage_and_the_rest_is_read():
    _, items = read('known: everything\n* the moon rises\n* event x {"a"\n--> {}\n* the launch: {}\n')
    assert [type(item) for item in items[:4]] == [Damaged, Damaged, Line, Damaged]
    assert [item.why for item in items if isinstance(item, Damaged)] == [
        "there is no such step: * the moon rises",
        'there is no such step: * event x {"a"',
        "the launch stands before all other steps",
    ]


@pytest.mark.parametrize(
    "line",
    [
        r"<~- \q",
        "<~- \\",
        "* a good answer to 1, of 99999999999 bytes",
        "* 9999999999999 seconds pass",
        "* the launch: {" + '"a":{' * 100_000 + "}",
        "* a good handshake: {x}",
        "* a good handshake: {} x {}",
        "* the server exits with 12345",
    ],
    ids=lambda line: line[:25],
)
def test_what_makes_no_sense_is_refused(line: str):
    with pytest.raises(StepError):
        Steps().feed(line)


WORDS = ["* ", "a good ", "tools/list", "handshake", " in ", ": ", "{}", "1", "event x", " seconds pass"]


@given(
    st.lists(
        st.text(max_size=20)
        | st.sampled_from([line for line, _ in SCRIPT])
        | st.lists(st.sampled_from(WORDS), max_size=6).map("".join),
        max_size=6,
    )
)
def test_no_text_makes_the_steps_raise_anything_but_their_error(lines: list[str]):
    steps = Steps()
    for line in lines:
        with suppress(StepError):
            steps.feed(line)
    steps.finish()
