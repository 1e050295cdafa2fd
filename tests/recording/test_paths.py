"""Where recordings lie, what they are called, and who may read them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import platformdirs
import pytest

from mcptap.recording.file import RecordingFile
from mcptap.recording.paths import (
    clean_name,
    close_to_others,
    default_folders,
    make_private_folder,
    names_folder,
    numbered,
    server_name,
    temporary_folder,
)

as_root = pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a folder away"
)


@pytest.mark.parametrize(
    "environment",
    [
        {"HOME": "/home/ann"},
        {"HOME": "/home/ann", "XDG_STATE_HOME": "/state"},
        {"HOME": "/home/ann", "XDG_STATE_HOME": ""},
        {"HOME": "/home/ann", "XDG_STATE_HOME": "  "},
        {"HOME": "/"},
        {},
    ],
    ids=str,
)
def test_the_folder_is_the_one_that_platformdirs_gives(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    expected = os.path.join(platformdirs.user_state_dir("mcptap", appauthor=False), "recordings")
    assert default_folders(os.environ)[0] == expected


def test_a_temporary_folder_is_the_way_out() -> None:
    folders = default_folders({"HOME": "/home/ann", "TMPDIR": "/scratch"})
    assert folders[1:] == [f"/scratch/mcptap-{os.getuid()}/recordings"]


def test_a_relative_state_folder_is_not_taken() -> None:
    """The XDG specification tells to ignore it; a client's working directory may be anything."""
    folders = default_folders({"HOME": "/home/ann", "XDG_STATE_HOME": "state"})
    assert folders[0] == "/home/ann/.local/state/mcptap/recordings"


NAMES = [
    (["npx", "-y", "@scope/some-server@1.2"], "some-server"),
    (["npx", "-y", "some-server@latest", "--port", "1"], "some-server"),
    (["npx.cmd", "-y", "some-server"], "some-server"),
    (["C:\\Program Files\\nodejs\\npx.exe", "some-server"], "some-server"),
    (["uvx", "mcp-server-time"], "mcp-server-time"),
    (["uv", "run", "weather.py"], "weather"),
    (["uv", "tool", "run", "mcp-server-git"], "mcp-server-git"),
    (["python", "/x/weather/server.py"], "weather-server"),
    (["python3.12", "-m", "mcp_server_fetch"], "mcp_server_fetch"),
    (["/usr/bin/python3", "-u", "/x/y/weather.py"], "weather"),
    (["node", "/x/weather/dist/index.js"], "weather-index"),
    (["node", "build/index.js"], "index"),
    (["/opt/bin/thing"], "thing"),
    (["/opt/bin/thing.exe", "stdio"], "thing"),
    (["sh", "-c", "exec some-server --token secret"], "sh"),
    (["bash", "/x/start-it.sh"], "start-it"),
    (["env", "TOKEN=secret", "some-server"], "some-server"),
    (["bun", "run", "./src/weather.ts"], "weather"),
    (["python"], "python"),
    (["."], "server"),
    ([".."], "server"),
    ([""], "server"),
    (["/"], "server"),
    (["/x/\x1b[31m; rm -rf"], "31m--rm--rf"),
    (["x" * 200], "x" * 64),
    (["/opt/wetter-für-alle"], "wetter-f-r-alle"),
]


@pytest.mark.parametrize(("argv", "name"), NAMES, ids=[" ".join(argv)[:40] for argv, _ in NAMES])
def test_a_server_is_named_by_what_people_know_it_by(argv: list[str], name: str) -> None:
    assert server_name(argv) == name


@pytest.mark.parametrize(
    "name", ["a/b", "../../etc", ".hidden", "", "-", "a\0b", "a\nb", "ü", "x" * 300, "CON"]
)
def test_a_name_is_always_a_plain_file_name(name: str) -> None:
    cleaned = clean_name(name)
    assert cleaned
    assert cleaned == os.path.basename(cleaned)
    assert not cleaned.startswith((".", "-"))
    assert len(cleaned) <= 64
    assert cleaned.isascii()
    assert cleaned.isprintable()


def test_siblings_are_numbered_before_the_suffix() -> None:
    assert [numbered("/x/a.jsonl", n) for n in range(3)] == ["/x/a.jsonl", "/x/a.1.jsonl", "/x/a.2.jsonl"]
    assert numbered("/x.y/a", 1) == "/x.y/a.1"


def test_what_exists_decides_whether_a_folder_or_a_file_is_meant(tmp_path: Path) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "file").touch()
    wishes = {
        "folder.jsonl": True,
        "file": False,
        "new": True,
        "new.jsonl": False,
        "new.jsonl/": True,
        ".x": True,
    }
    assert {name: names_folder(str(tmp_path) + "/" + name) for name in wishes} == wishes


@pytest.fixture
def strict_umask() -> Iterator[None]:
    before = os.umask(0o777)
    yield
    os.umask(before)


@pytest.mark.usefixtures("strict_umask")
def test_modes_do_not_depend_on_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "x.jsonl"
    file = RecordingFile([str(path)], lambda locked: b"{}\n", print)
    file.restore(1)
    file.close()
    assert [p.stat().st_mode & 0o777 for p in (path, path.parent, path.parent.parent)] == [
        0o600,
        0o700,
        0o700,
    ]


def test_modes_are_private_under_an_open_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        path = tmp_path / "a" / "x.jsonl"
        file = RecordingFile([str(path)], lambda locked: b"{}\n", print)
        file.restore(1)
        file.close()
    finally:
        os.umask(before)
    assert [p.stat().st_mode & 0o777 for p in (path, path.parent)] == [0o600, 0o700]


def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_private_folder(str(tmp_path))
    assert tmp_path.stat().st_mode & 0o777 == 0o755


@as_root
@pytest.mark.parametrize("below", ["", "recordings", "recordings/server"])
def test_a_temporary_folder_that_another_user_made_is_refused(tmp_path: Path, below: str) -> None:
    root = tmp_path / temporary_folder()
    (root / below).mkdir(parents=True)
    os.chown(root, 12345, 12345)
    with pytest.raises(PermissionError, match="belongs to another user"):
        make_private_folder(str(root / "recordings" / "server"))


@pytest.mark.parametrize("below", ["", "recordings", "recordings/server"])
def test_a_link_in_place_of_the_temporary_folder_is_refused(tmp_path: Path, below: str) -> None:
    (tmp_path / "elsewhere" / below).mkdir(parents=True)
    (tmp_path / temporary_folder()).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PermissionError, match="belongs to another user"):
        make_private_folder(str(tmp_path / temporary_folder() / "recordings" / "server"))


def test_two_starts_at_once_never_share_a_file(tmp_path: Path) -> None:
    """Eight processes take the same name at the same time."""
    program = (
        "import sys\n"
        "from mcptap.recording.file import RecordingFile\n"
        "sys.stdin.readline()\n"
        "for _ in range(20):\n"
        "    file = RecordingFile([sys.argv[1]], lambda locked: b'{}\\n', print)\n"
        "    file.restore(1)\n"
        "    print(file.path)\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "x.jsonl")]
    pipe = subprocess.PIPE
    takers = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) for _ in range(8)]
    for taker in takers:
        assert taker.stdin is not None
        taker.stdin.write("go\n")
        taker.stdin.flush()
    taken = [path for taker in takers for path in taker.communicate()[0].split()]
    assert len(taken) == len(set(taken)) == 160
    assert len(list(tmp_path.iterdir())) == 160


@pytest.mark.parametrize("below", ["", "deeper/still"])
def test_a_folder_in_what_is_none_is_refused_with_the_reason(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError, match="Not a directory"):
        make_private_folder(str(tmp_path / "file" / below).rstrip("/"))


def test_a_folder_named_by_one_relative_word_is_made_and_may_be_there_already(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make_private_folder("recordings")
    make_private_folder("recordings")
    assert (tmp_path / "recordings").stat().st_mode & 0o777 == 0o700


def test_others_lose_their_rights_on_our_folders_and_that_is_said_once(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = tmp_path / "mcptap" / "recordings" / "server"
    folder.mkdir(parents=True)
    for part in (folder, *list(folder.parents)[:2]):
        part.chmod(0o2755)
    (tmp_path / "mcptap").parent.chmod(0o755)
    said = close_to_others(str(folder / "x.jsonl"))
    assert said.startswith(f"others had rights on {tmp_path}/mcptap (mode 2755), where recordings lie; ")
    assert [part.stat().st_mode & 0o777 for part in (folder, *list(folder.parents)[:2])] == [0o700] * 3
    assert tmp_path.stat().st_mode & 0o777 == 0o755
    assert close_to_others(str(folder / "x.jsonl")) == ""


def test_the_temporary_folder_is_ours_too(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    folder = tmp_path / temporary_folder() / "recordings" / "server"
    folder.mkdir(parents=True)
    folder.chmod(0o770)
    assert "others had rights on" in close_to_others(str(folder / "x.jsonl"))
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_behind_a_link_is_not_changed_but_told(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "shared").mkdir(mode=0o755)
    (tmp_path / "state" / "mcptap").mkdir(parents=True, mode=0o700)
    (tmp_path / "state" / "mcptap").chmod(0o700)
    (tmp_path / "state" / "mcptap" / "recordings").symlink_to(tmp_path / "shared")
    said = close_to_others(str(tmp_path / "state" / "mcptap" / "recordings" / "x.jsonl"))
    assert said.startswith("others have rights on ")
    assert (tmp_path / "shared").stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize(("mode", "told"), [(0o755, False), (0o775, False), (0o1777, False), (0o777, True)])
def test_a_folder_of_the_users_choice_keeps_its_mode(tmp_path, monkeypatch, mode: int, told: bool) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine").chmod(mode)
    said = close_to_others(str(tmp_path / "mine" / "x.jsonl"))
    assert said.startswith("others can remove or replace recordings") is told
    assert (tmp_path / "mine").stat().st_mode & 0o7777 == mode


def test_words_with_a_mask_name_no_server() -> None:
    assert server_name(["uvx", "--token", "‹masked:abc123›", "some-server"], {2}) == "some-server"
