"""Whether a recording was made by this installation, for honest headers and for changed ones."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.recording import made_here
from mcptap.recording.format.decode import decode_header
from mcptap.recording.format.header import encode_environment
from mcptap.recording.made_here import check_value, was_made_here
from mcptap.shim.launch import Launch

ENVIRON = {b"PATH": b"/bin", b"TOKEN": b"${TOKEN}", b"ODD\xff": b"x", b"HOME": b"/home/\xff"}

as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="gives files away")


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """mcptap's folder in a state directory of the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temp"))
    return tmp_path / "state" / "mcptap"


def made(argv: list[bytes] | None = None) -> dict[str, Any]:
    """The fields of a header that was written now."""
    raw = Launch(argv or [b"sh", b"-c", b"\xff\xfe", "ü\n".encode()], None, ENVIRON, "server").header(True)
    fields: dict[str, Any] = json.loads(raw)
    return fields


def is_ours(fields: dict[str, Any]) -> bool:
    return was_made_here(decode_header(json.dumps(fields).encode()))


def test_what_was_written_here_is_known_again() -> None:
    assert is_ours(made())


@pytest.mark.parametrize(
    "change",
    [
        lambda f: f["argv"].append("x"),
        lambda f: f["argv"].reverse(),
        lambda f: f.update(argv=["sh -c", *f["argv"][2:]]),
        lambda f: f.update(cwd="/"),
        lambda f: f["env"]["names"].append("LD_PRELOAD"),
        lambda f: f["env"]["values"].update(LD_PRELOAD="/tmp/x.so"),
        lambda f: f["env"]["values"].update(PATH="/tmp"),
        lambda f: f["env"]["placeholders"].update(TOKEN="x"),
        lambda f: f["env"]["values"].update(f["env"].pop("placeholders")),
        lambda f: f.update(masked=[[0, 0, 1]]),
        lambda f: f.update(export={"by": "mcptap"}),
        lambda f: f.pop("check"),
        lambda f: f.update(check=""),
        lambda f: f.update(check=None),
        lambda f: f.update(check=["0" * 64]),
        lambda f: f.update(check="0" * 64),
        lambda f: f.update(check="ü" * 64),
        lambda f: f.update(argv=["\ud800"]),
    ],
)
def test_what_was_changed_is_not(change: Callable[[dict[str, Any]], Any]) -> None:
    fields = made()
    change(fields)
    assert not is_ours(fields)


@given(st.lists(st.binary(max_size=6).filter(lambda word: b"\0" not in word), min_size=1, max_size=4))
def test_every_command_line_is_known_again(argv: list[bytes]) -> None:
    assert is_ours(made(argv))


def test_the_key_is_private_whatever_the_umask_and_made_once(state: Path) -> None:
    before = os.umask(0)
    try:
        made()
    finally:
        os.umask(before)
    key = (state / "key").read_bytes()
    made()
    assert (len(key), (state / "key").stat().st_mode & 0o777) == (32, 0o600)
    assert (state / "key").read_bytes() == key
    assert [path.name for path in state.iterdir()] == ["key"]


def test_another_key_knows_nothing(state: Path) -> None:
    fields = made()
    (state / "key").write_bytes(bytes(32))
    assert not is_ours(fields)
    (state / "key").unlink()
    assert not is_ours(fields)


def test_without_a_place_for_a_key_there_is_no_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "file"))
    assert "check" not in made()


@pytest.mark.parametrize("trap", ["open to others", "short", "long", "pipe", "link", "folder"])
def test_a_key_that_may_be_known_to_others_is_not_used(state: Path, trap: str) -> None:
    state.mkdir(parents=True)
    key = state / "key"
    if trap == "pipe":
        os.mkfifo(key, 0o600)
    elif trap == "link":
        (state / "other").write_bytes(bytes(32))
        (state / "other").chmod(0o600)
        key.symlink_to("other")
    elif trap == "folder":
        key.mkdir()
    else:
        key.write_bytes(bytes({"short": 31, "long": 33}.get(trap, 32)))
        key.chmod(0o644 if trap == "open to others" else 0o600)
    environment = encode_environment([], [], [])
    value = check_value([b"x"], b"/", environment)
    assert value != made_here._keyed(bytes(32), b'["x"]\n"/"\n' + environment)


@as_root
@pytest.mark.parametrize("what", ["key", "."])
def test_a_key_of_another_user_is_not_used(state: Path, what: str) -> None:
    fields = made()
    os.chown(state / what, 65534, 65534)
    assert not is_ours(fields)


def test_processes_that_start_at_once_agree_on_one_key(state: Path) -> None:
    import subprocess
    import sys

    program = "from mcptap.recording.made_here import check_value; print(check_value([b'x'], b'/', b'{}'))"
    several = [
        subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(6)
    ]
    values = {process.communicate(timeout=60)[0] for process in several}
    assert len(values) == 1
    assert values != {"None\n"}


def test_masked_words_are_covered_and_their_places_too() -> None:
    fields = made([b"srv", b"--token", b"hunter2", b"--pw=hunter3"])
    assert fields["masked"] == [[2, 0, 19], [3, 5, 24]]
    assert is_ours(fields)
    assert is_ours({**fields, "masked": [*fields["masked"], [9, 0, 1], "x", [0, 5, 1]]}), "no places at all"
    assert not is_ours({**fields, "masked": fields["masked"][:1]})
    assert not is_ours({**fields, "masked": [[0, 0, 1], *fields["masked"]]})
    del fields["masked"]
    assert not is_ours(fields)
