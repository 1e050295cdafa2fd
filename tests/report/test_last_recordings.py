"""Which recording is the last of a command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mcptap.report.last_recordings import CommandLine, LastRecordings
from tests.helpers import END, START_WALL_US, Step, handshake, record, request

ONLY_ASKED: list[Step] = [("c2s", request(1, "server/discover", {})), *END]


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(tmp_path / "temp"))
    return tmp_path / "mcptap" / "recordings"


def keep(library: Path, second: int, argv: list[str], steps: list[Step] | None = None, **header: Any) -> str:
    file = library / "s" / f"20261129T2117{second:02}.000000Z-{second}.jsonl"
    wall = START_WALL_US + second * 1_000_000
    return str(record(file, steps or [*handshake(), *END], argv=argv, wall=wall, **header))


def last(argv: list[str], *open_texts: str) -> str | None:
    found = LastRecordings().of(CommandLine(argv, open_texts))
    return found.path if found else None


def test_the_newest_session_of_just_this_command_line_is_found_and_judged(library):
    keep(library, 1, ["npx", "-y", "s"])
    newest = keep(library, 2, ["npx", "-y", "s"])
    keep(library, 3, ["npx", "-y", "t"])
    keep(library, 4, ["npx", "-y", "s", "x"])
    found = LastRecordings().of(CommandLine(["npx", "-y", "s"]))
    assert found is not None
    assert (found.path, found.outcome) == (newest, "healthy")
    assert last(["npx"]) is None
    assert last([]) is None


def test_for_what_is_not_known_anything_may_stand(library):
    path = keep(library, 1, ["s", "--in=/home/ann/x/data"])
    assert last(["s", "--in=${A}/x/${AB}"], "${A}", "${AB}") == path
    assert last(["s", "$A$AB"], "$A", "$AB") == path
    assert last(["s", "--in=$A/y/$B"], "$A", "$B") is None
    assert last(["s", "--in=/home$A/home/ann/x/data"], "$A") is None
    assert last(["s", "$A" * 5000 + "Z"], "$A") is None


def test_what_mcptap_or_a_client_only_asked_is_passed_over(library):
    session = keep(library, 1, ["s"])
    keep(library, 2, ["s"], ONLY_ASKED)
    keep(library, 3, ["s"], probe="a probe as no client")
    assert last(["s"]) == session


def test_secrets_are_compared_by_their_masks(library):
    from mcptap.recording.made_here import installation_key, masker

    assert installation_key()
    argv = ["s", "--api-key", "sw0rdf1sh-and-more"]
    path = keep(library, 1, masker().argv(argv))
    assert last(argv) == path
    assert last(["s", "--api-key", "another-0ne-of-them"]) is None


def test_what_is_not_known_may_be_anything(library):
    path = keep(library, 1, ["s", "--root=/home/sam", "a.b"])
    assert last(["s", "--root=${env:ROOT}", "a.b"], "${env:ROOT}") == path
    assert last(["s", "--root=${env:ROOT}", "a+b"], "${env:ROOT}") is None


def test_what_is_no_recording_is_passed_over(library):
    keep(library, 1, ["s"])
    (library / "s" / "20261129T211759.000000Z-9.jsonl").write_text("nothing\n")
    assert last(["s"]) is not None
