"""Waiting for a first session: the one that is meant, when it has told what there is to tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mcptap.setup.first_recording import QUIET_LOOKS, wait_for_first
from tests.helpers import END, START_WALL_US, Tape, call, handshake, record, request, text_result

DISCOVER = request("d", "server/discover")


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temp"))
    return tmp_path / "mcptap" / "recordings"


def path(library: Path, second: int, name: str = "weather") -> Path:
    return library / name / f"20261129T2117{second:02}.000000Z-{second}.jsonl"


def in_turn(*steps: Callable[[], object]) -> Callable[[], None]:
    """What is done at each pause; one more than was expected is an error."""
    left: Iterator[Callable[[], object]] = iter(steps)
    return lambda: void(next(left)())


def void(_: object) -> None: ...


def test_it_is_the_first_of_a_server_that_is_meant_and_that_began_since(library: Path) -> None:
    record(path(library, 1), [*handshake(), *END])
    found = wait_for_first(
        {"weather", "x"},
        START_WALL_US + 5_000_000,
        in_turn(
            lambda: record(path(library, 20, "other"), [*handshake(), *END], name="other"),
            lambda: path(library, 21).write_bytes(b"no recording"),
            lambda: record(path(library, 22), [("c2s", DISCOVER), *END]),
            lambda: record(path(library, 23), [*handshake(), *END]),
        ),
    )
    assert found.path == str(path(library, 23))


def test_a_session_that_goes_on_has_told_when_nothing_passes_any_more(library: Path) -> None:
    with Tape(path(library, 23)) as tape:
        found = wait_for_first(
            {"weather"},
            START_WALL_US,
            in_turn(
                *[lambda: None] * QUIET_LOOKS,  # nothing passed yet: no reason to end
                lambda: tape.play(handshake()),
                lambda: None,
                lambda: tape.play([("c2s", call(1, "x")), ("s2c", text_result(1, "y"))]),
                *[lambda: None] * QUIET_LOOKS,
            ),
        )
    assert found.path == str(path(library, 23))
    assert found.messages == 5
