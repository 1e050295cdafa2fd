from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from mcptap.captures import summary as summary_module
from mcptap.commands import main
from mcptap.text.terminal import Terminal
from mcptap.text.units import size
from tests.helpers import END, SPAWN, START_WALL_US, Step, Tape, call, handshake, record, request, result

GLUED: list[Step] = [
    *handshake(),
    ("c2s", call(1, "x")),
    ("s2c", b'oh {"jsonrpc":"2.0","id":1,"result":{"content":[]}}\n'),
    *END,
]


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The default folder for recordings, in a state directory of the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(tmp_path / "temp"))
    return tmp_path / "mcptap" / "recordings"


def keep(library: Path, second: int, steps: list[Step], name: str = "weather", **header: Any) -> Path:
    """A recording of a session that started in this second."""
    file = library / name / f"20261129T2117{second:02}.000000Z-{second}.jsonl"
    wall = START_WALL_US + second * 1_000_000
    return record(file, steps, name=name, wall=wall, **header)


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[list[str]]:
    """The rows of the table, without the titles, cut at two spaces."""
    assert main(["ls", *arguments]) == 0
    _, *rows = capsys.readouterr().out.splitlines()
    return [[cell.strip() for cell in row.split("  ") if cell.strip()] for row in rows]


def test_recordings_are_listed_newest_first(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = keep(library, 1, [*handshake(client="cursor", client_version="3"), *END])
    new = keep(library, 2, GLUED, name="files")
    rows = listed(capsys)
    assert [(row[0], row[1], row[2], *row[-4:]) for row in rows] == [
        ("latest", "files", "agent 1.2.3", "4", "finished", "1 error", str(new)),
        ("latest~1", "weather", "cursor 3", "3", "finished", "none", str(old)),
    ]


def test_what_stands_in_the_first_column_can_be_typed(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(library, 1, [SPAWN], name="first")
    keep(library, 2, [SPAWN], name="second")
    for which, name in (("latest", "second"), ("latest~1", "first")):
        assert main(["show", which]) == 0
        assert capsys.readouterr().out.startswith(f"{name}: ")
    assert main(["show", "latest~2"]) == 2
    assert "there is no latest~2" in capsys.readouterr().err


def test_a_live_session_is_marked(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    live = library / "weather" / "20261129T211703.000000Z-3.jsonl"
    with Tape(live, wall=START_WALL_US + 3_000_000) as tape:
        tape.play(handshake())
        keep(library, 1, handshake())
        assert [row[-3] for row in listed(capsys)] == ["live", "cut off"]


def test_a_probe_stands_below_its_session(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep(library, 1, [SPAWN, ("c2s", request(1, "server/discover")), ("s2c", result(1)), *END])
    keep(library, 2, [*handshake(), *END])
    rows = listed(capsys, "-n", "1")
    assert [(row[0], row[1]) for row in rows] == [("latest", "weather"), ("latest~1", "└ probe")]


def test_a_name_chooses(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for second, name in enumerate(("files", "weather", "weather-eu")):
        keep(library, second, [SPAWN], name=name)
    assert [row[1] for row in listed(capsys, "weather")] == ["weather-eu", "weather"]
    assert [row[1] for row in listed(capsys, "WEATHER*u")] == ["weather-eu"]
    assert [row[0] for row in listed(capsys, "files")] == ["latest~2"]


def test_n_bounds_the_list(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for second in range(3):
        keep(library, second, [SPAWN])
    assert len(listed(capsys, "-n", "2")) == 2
    assert len(listed(capsys, "-n", "0")) == 3


def test_a_folder_is_listed_with_its_file_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(tmp_path / "mine.jsonl", GLUED)
    (tmp_path / "other.jsonl").write_text('{"no": "recording"}\n')
    rows = listed(capsys, f"{tmp_path}/")
    assert [(row[0], row[-2]) for row in rows] == [("mine.jsonl", "1 error")]


def test_json_is_one_array(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    probe = keep(library, 1, [SPAWN, ("c2s", request(1, "server/discover")), ("s2c", result(1)), *END])
    session = keep(library, 2, GLUED)
    assert main(["ls", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["path"], row["probe_of"]) for row in rows] == [
        (str(session), None),
        (str(probe), str(session)),
    ]
    assert rows[0] | {"problems": None} == {
        "path": str(session),
        "session": "0123456789abcdef",
        "name": "weather",
        "argv": ["python", "weather.py"],
        "client": {"name": "agent", "version": "1.2.3"},
        "parent": "agent",
        "start": "2026-11-29T21:17:03.103145Z",
        "length_us": 10_000,
        "messages": 4,
        "messages_exact": True,
        "size": session.stat().st_size,
        "state": "finished",
        "outcome": "broken",
        "problems": None,
        "probe": False,
        "probe_of": None,
        "mcptap_probe": None,
    }
    assert rows[0]["problems"]["error"] == 1
    assert rows[1]["client"] is None


def test_a_big_file_is_not_judged_and_its_count_is_an_estimate(
    library: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(library, 1, GLUED)
    monkeypatch.setattr(summary_module, "WHOLE_BYTES", 10)
    [row] = listed(capsys)
    assert row[-4].startswith("~")
    assert row[-2] == "big: use check"
    assert main(["ls", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["problems"] is None


def test_control_sequences_in_names_are_shown(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep(library, 1, handshake(client="\x1b[31mevil"))
    assert listed(capsys)[0][2] == "␛[31mevil 1.2.3"


def test_no_recording_is_said_with_what_to_do(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ls"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "mcptap run makes one" in err
    assert main(["ls", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ls", f"{tmp_path}/nowhere"]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_json_has_strangers_text_as_escapes_and_means_the_same(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = "a\x1b[2J\x7f\x9b\u202e\u2028\u2029b"
    keep(library, 1, GLUED, argv=[odd], parent={"pid": 1, "name": odd})
    assert main(["ls", "--json"]) == 0
    out = capsys.readouterr().out
    assert json.loads(out)[0]["argv"] == [odd]
    assert out.replace("\n", "").isprintable()


def test_what_is_not_a_file_is_ignored_and_that_is_said(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(library, 1, GLUED)
    os.mkfifo(library / "weather" / "a\n::error::b\x1b.jsonl")
    assert main(["ls"]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2
    assert err.startswith("mcptap: ignored, since it is not yours or no regular file: ")
    assert "a␊::error::b␛.jsonl" in err
    assert err.count("\n") == 1


def test_on_a_terminal_the_list_ends_in_the_total_size_and_what_is_over_the_limit(
    library: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(library))
    total = sum(keep(library, second, [SPAWN, *END]).stat().st_size for second in (1, 2))
    monkeypatch.setattr(Terminal, "__init__", wide)
    assert main(["ls"]) == 0
    assert capsys.readouterr().out.endswith(f"\n\n2 recordings in all, {size(total)}\n")
    assert main(["prune", "--keep", "1", "--save"]) == 0
    capsys.readouterr()
    assert main(["ls"]) == 0
    said = capsys.readouterr().out.splitlines()[-1]
    assert said == "over your limit (--keep 1): 1 of them; mcptap prune says which"


def wide(self: Terminal, _output: object) -> None:
    self.width, self.has_colour = 200, False


def test_probes_are_left_out_unless_asked_for_and_marked(
    library: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(library, 1, [*handshake(), *END])
    probe = keep(library, 2, [*handshake(), *END], probe="questions")
    assert [row[0] for row in listed(capsys)] == ["latest"]
    rows = listed(capsys, "--probes")
    assert [(row[0], row[2]) for row in rows] == [
        ("latest-probe", "mcptap probe: questions"),
        ("latest", "agent 1.2.3"),
    ]
    assert len(listed(capsys, f"{library}/weather")) == 2
    assert main(["ls", "--probes", "--json"]) == 0
    assert [entry["mcptap_probe"] for entry in json.loads(capsys.readouterr().out)] == ["questions", None]
    with monkeypatch.context() as patch:
        patch.setattr(Terminal, "__init__", wide)
        assert main(["ls"]) == 0
    assert "1 recording of mcptap probe left out: mcptap ls --probes" in capsys.readouterr().out
    for path in library.rglob("*.jsonl"):
        if path != probe:
            path.unlink()
    assert main(["ls"]) == 0
    assert "but 1 recording of mcptap probe (mcptap ls --probes)" in capsys.readouterr().err


LOG = """2026-03-14T09:26:53.000Z [harbour] [info] Initializing server...
2026-03-14T09:26:53.100Z [harbour] [info] Server started and connected successfully
2026-03-14T09:26:53.200Z [harbour] [info] Message from client: {"jsonrpc":"2.0","id":0,"method":"ping"}
2026-03-14T09:26:53.300Z [harbour] [info] Message from server: {"jsonrpc":"2.0","id":0,"result":{}}
2026-03-14T09:26:54.000Z [harbour] [info] Server transport closed
"""


def test_a_folder_shows_the_sessions_of_other_tools_beside_recordings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record(tmp_path / "mine.jsonl", [*handshake(), *END], name="weather")
    again = LOG.replace("2026-03-14T09", "2026-03-14T10")
    (tmp_path / "mcp-server-harbour.log").write_text(LOG + again)
    (tmp_path / "notes.txt").write_text("no log of anything\n")
    rows = listed(capsys, f"{tmp_path}/")
    assert [row[:2] for row in rows if row] == [
        ["mine.jsonl", "weather"],
        ["mcp-server-harbour.log#2", "harbour"],
        ["mcp-server-harbour.log#1", "harbour"],
    ]
    assert [row[0] for row in listed(capsys, "-n", "1", f"{tmp_path}/")] == ["mine.jsonl"]
