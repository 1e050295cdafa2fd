"""What is on record about changed files: kept exactly, gone when it is over."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from mcptap.errors import UserError
from mcptap.setup.records import FileRecord, Wrapped, all_records, keep, record_of
from mcptap.setup.state import key_of, setup_folder

ENTRY = Wrapped(
    "cursor", "user", ("mcpServers", "a"), "a", b'"n\\u0070x"', b'"mcptap"', b'["\xc3\xa9"]', b"[]"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


def test_a_record_is_read_as_it_was_written_and_is_the_user_s_alone() -> None:
    entries = (ENTRY, replace(ENTRY, name="b", where=("x", 3), args_before=None, args_after=b""))
    keep(FileRecord("/etc/caf\udce9.json", entries))
    assert record_of("/etc/caf\udce9.json") == FileRecord("/etc/caf\udce9.json", entries)
    assert list(all_records()) == [FileRecord("/etc/caf\udce9.json", entries)]
    (path,) = (Path(setup_folder()) / "wrapped").iterdir()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_record_without_entries_goes() -> None:
    keep(FileRecord("/a", (ENTRY,)))
    keep(record_of("/a").without([ENTRY]))
    assert os.listdir(os.path.join(setup_folder(), "wrapped")) == []
    assert list(all_records()) == []
    keep(FileRecord("/a", ()))


def test_an_entry_has_one_record() -> None:
    newer = replace(ENTRY, command_before=b"'x'")
    record = FileRecord("/a", (ENTRY,)).with_(newer)
    assert record.entries == (newer,)
    assert record.of(("mcpServers", "a"), "a") == newer


def test_an_entry_of_a_list_is_found_where_it_stands_now() -> None:
    first, second = (replace(ENTRY, where=("mcpServers", index)) for index in (0, 2))
    record = FileRecord("/a", (first, second))
    assert record.of(("mcpServers", 2), "a") == second
    assert record.of(("mcpServers", 1), "a") == first
    assert record.of(("mcpServers", 1), "b") is None
    assert record.of(("projects", "/x", "mcpServers", "a"), "a") is None


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b'{"format":2}', b'{"format":1,"file":"/a","entries":[{"client":1}]}']
)
def test_what_is_no_record_is_none(content: bytes) -> None:
    keep(FileRecord("/a", (ENTRY,)))
    (path,) = (Path(setup_folder()) / "wrapped").iterdir()
    path.write_bytes(content)
    assert record_of("/a") == FileRecord("/a", ())


def test_the_record_of_another_file_is_not_taken() -> None:
    keep(FileRecord("/a", (ENTRY,)))
    (path,) = (Path(setup_folder()) / "wrapped").iterdir()
    path.rename(path.with_name(f"{key_of('/b')}.json"))
    assert record_of("/b").entries == ()


def test_where_it_cannot_be_kept_that_is_said(folder: Path) -> None:
    (folder / "mcptap").mkdir()
    (folder / "mcptap" / "setup").write_bytes(b"")
    with pytest.raises(UserError, match="nothing is changed"):
        keep(FileRecord("/a", (ENTRY,)))
