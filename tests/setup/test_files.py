"""Replacing a file: old or new whenever it is interrupted, and nothing lost that cannot be kept."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from mcptap.errors import UserError
from mcptap.setup import files
from mcptap.setup.files import backup_folder, read_target, replace, require_replaceable

posix = pytest.mark.skipif(os.name == "nt", reason="rights of POSIX")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "place").mkdir()
    return tmp_path / "place"


def config(folder: Path, data: bytes = b"old") -> str:
    path = folder / "config.json"
    path.write_bytes(data)
    return str(path)


def test_content_is_replaced_and_rights_stay_whatever_the_umask(folder: Path) -> None:
    path = config(folder)
    os.chmod(path, 0o664)
    before = os.umask(0o077)
    try:
        replace(read_target(path), b"new")
    finally:
        os.umask(before)
    assert Path(path).read_bytes() == b"new"
    assert os.stat(path).st_mode & 0o7777 == 0o664
    assert os.listdir(folder) == ["config.json"]


def test_a_link_stays_a_link_and_what_it_leads_to_is_replaced(folder: Path) -> None:
    real = config(folder)
    link = folder.parent / "link.json"
    link.symlink_to("place/config.json")
    replace(read_target(str(link)), b"new")
    assert os.readlink(link) == "place/config.json"
    assert Path(real).read_bytes() == b"new"


def test_a_link_that_leads_elsewhere_meanwhile_is_no_longer_what_was_read(folder: Path) -> None:
    other = folder / "other.json"
    other.write_bytes(b"old")
    link = folder / "link.json"
    link.symlink_to(config(folder))
    target = read_target(str(link))
    link.unlink()
    link.symlink_to(other)
    with pytest.raises(UserError, match="changed by another program"):
        replace(target, b"new")
    assert other.read_bytes() == b"old"


def test_a_file_that_changed_meanwhile_is_left_as_it_is(folder: Path) -> None:
    path = config(folder)
    target = read_target(path)
    Path(path).write_bytes(b"theirs")
    with pytest.raises(UserError, match="changed by another program meanwhile; nothing is changed"):
        replace(target, b"new")
    assert Path(path).read_bytes() == b"theirs"
    assert os.listdir(folder) == ["config.json"]


def test_a_change_at_the_last_moment_is_seen_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = config(folder)
    takes_over = files._take_over

    def change(*arguments: object) -> None:
        takes_over(*arguments)  # type: ignore[arg-type]
        Path(path).write_bytes(b"theirs")

    monkeypatch.setattr(files, "_take_over", change)
    with pytest.raises(UserError, match="changed by another program"):
        replace(read_target(path), b"new")
    assert Path(path).read_bytes() == b"theirs"
    assert os.listdir(folder) == ["config.json"]


def test_a_client_that_writes_the_file_is_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = config(folder)
    lock = folder / "config.json.lock"
    looks: list[float] = []
    monkeypatch.setattr(files.time, "sleep", looks.append)
    lock.mkdir()
    with pytest.raises(UserError, match="is being written by another program"):
        replace(read_target(path), b"new")
    assert len(looks) > 1
    assert sorted(os.listdir(folder)) == ["config.json", "config.json.lock"]

    monkeypatch.setattr(files.time, "sleep", lambda _: lock.rmdir())
    replace(read_target(path), b"new")
    assert Path(path).read_bytes() == b"new"

    lock.mkdir()
    os.utime(lock, (0, 0))  # left by somebody who was killed
    replace(read_target(path), b"newer")
    assert Path(path).read_bytes() == b"newer"


@posix
def test_backups_are_private_exact_and_the_last_three(folder: Path) -> None:
    path = config(folder, b"0")
    kept = backup_folder(os.path.realpath(path))
    Path(kept, "3-left-by-a-killed-process.mcptap-draft").write_bytes(b"h")
    backups = [replace(read_target(path), b"%d" % number) for number in range(1, 6)]
    assert sorted(os.listdir(kept)) == [os.path.basename(backup) for backup in backups[-3:]]
    assert [Path(backup).read_bytes() for backup in backups[-3:]] == [b"2", b"3", b"4"]
    assert {os.stat(backup).st_mode & 0o777 for backup in backups[-3:]} == {0o600}
    inside = Path(kept)
    while inside.name != "state":
        assert inside.stat().st_mode & 0o777 == 0o700
        inside = inside.parent


def test_rights_that_others_have_on_the_folder_of_backups_are_taken_away(folder: Path) -> None:
    kept = backup_folder("/x/config.json")
    os.chmod(kept, 0o755)  # noqa: S103
    assert backup_folder("/x/config.json") == kept
    assert os.stat(kept).st_mode & 0o777 == 0o700


def test_hard_links_are_not_parted(folder: Path) -> None:
    path = config(folder)
    os.link(path, folder / "other")
    with pytest.raises(UserError, match="2 hard links"):
        replace(read_target(path), b"new")
    assert (folder / "other").read_bytes() == b"old"


def test_another_user_s_file_is_left_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = read_target(config(folder))
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(UserError, match="belongs to another user"):
        require_replaceable(target)


@pytest.mark.parametrize(
    ("number", "words"), [(errno.EROFS, "does not take a new file"), (errno.EBUSY, "a mount of its own")]
)
def test_what_the_system_refuses_is_said_and_leaves_nothing_behind(
    folder: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    path = config(folder)
    target = read_target(path)
    moves = os.replace

    def refuse(source: str, to: str) -> None:
        if to == target.resolved:
            raise OSError(number, os.strerror(number))
        moves(source, to)

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(UserError, match=f"{words}.*nothing is changed"):
        replace(target, b"new")
    assert Path(path).read_bytes() == b"old"
    assert os.listdir(folder) == ["config.json"]


def test_what_is_no_file_is_said(folder: Path) -> None:
    with pytest.raises(UserError, match="is a folder"):
        read_target(str(folder))
    with pytest.raises(UserError, match="No such file"):
        read_target(str(folder / "none"))
    os.mkfifo(folder / "pipe")
    with pytest.raises(UserError, match="no regular file"):
        read_target(str(folder / "pipe"))


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="attributes of Linux")
def test_attributes_of_the_user_s_stay(folder: Path) -> None:
    path = config(folder)
    try:
        os.setxattr(path, "user.mark", b"mine")
    except OSError:
        pytest.skip("the file system has no attributes")
    replace(read_target(path), b"new")
    assert os.getxattr(path, "user.mark") == b"mine"


READ_ONLY = """
import os, sys
from mcptap.errors import UserError
from mcptap.setup.files import read_target, replace
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    replace(read_target(sys.argv[1]), b"new")
except UserError as error:
    print(error)
"""


@posix
def test_a_folder_that_is_read_only_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    # Not below pytest's folder, which another user can't enter: root may write everywhere.
    with TemporaryDirectory() as top:
        monkeypatch.setenv("XDG_STATE_HOME", f"{top}/state")
        folder = Path(top, "place")
        folder.mkdir()
        path = config(folder)
        for each in (top, str(folder), path) if os.geteuid() == 0 else ():
            os.chown(each, 65534, 65534)
        folder.chmod(0o555)
        command = [sys.executable, "-c", READ_ONLY, path]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        folder.chmod(0o755)
        assert "is read-only; nothing is changed" in done.stdout
        assert Path(path).read_bytes() == b"old"


KILLED = """
import os, signal, sys
from mcptap.setup.files import read_target, replace

path, points = sys.argv[1], 0
CALLS = "open write fsync replace fchmod fchown close unlink mkdir chmod setxattr".split()

def killing_at(number):
    left = number
    def counted(call):
        def instead(*arguments, **options):
            nonlocal left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **options)
        return instead
    for name in CALLS:
        setattr(os, name, counted(getattr(os, name)))

while True:
    with open(path, "wb") as file:
        file.write(b"old" * 9)
    pid = os.fork()
    if pid == 0:
        killing_at(points)
        replace(read_target(path), b"new" * 9)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    with open(path, "rb") as file:
        content = file.read()
    assert content in (b"old" * 9, b"new" * 9), (points, content)
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0, "left by what was killed before"
        assert content == b"new" * 9
        break
    points += 1
print(points)
"""


@posix
def test_killed_at_any_point_the_file_is_the_old_one_or_the_new_one(folder: Path) -> None:
    path = config(folder)
    done = subprocess.run([sys.executable, "-c", KILLED, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 15
    assert os.listdir(folder) == ["config.json"]
