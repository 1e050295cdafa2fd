"""Configurations that are opened to be changed, and those that can't be."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcptap.clients.configs.find import Surroundings
from mcptap.clients.table import CLIENTS
from mcptap.errors import UserError
from mcptap.setup.opened import entry_after, open_found, open_named, open_recorded
from mcptap.setup.records import FileRecord, Wrapped

DATA = b'{"mcpServers": {"a": {"command": "x"}}}'


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".cursor" / "mcp.json").write_bytes(DATA)
    (tmp_path / ".claude.json").write_bytes(b'{\n "a": }')
    return Surroundings(tmp_path, tmp_path, {}, "linux")


def test_what_can_not_be_read_is_a_trouble_with_its_place(around: Surroundings) -> None:
    found = open_found(None, around)
    assert [one.target.path for one in found.opened] == [str(around.home / ".cursor" / "mcp.json")]
    (trouble,) = found.troubles
    assert trouble.startswith(f"{around.home / '.claude.json'}:2:")
    assert trouble.endswith("nothing is changed in it")


def test_a_named_one_has_to_be_readable(around: Surroundings) -> None:
    (one,) = open_named(".cursor/mcp.json", None, around).opened
    assert [entry.name for entry in one.contents.entries] == ["a"]
    with pytest.raises(UserError, match="nothing is changed in it"):
        open_named(".claude.json", None, around)


def test_an_entry_is_found_again_in_other_bytes(around: Surroundings) -> None:
    (one,) = open_named(".cursor/mcp.json", None, around).opened
    (entry,) = one.contents.entries
    again, empty = one.read_again(DATA.replace(b'"x"', b'"y"')), one.read_again(b"{}")
    assert again is not None
    assert empty is not None
    found = entry_after(again, entry)
    assert found is not None
    assert found.argv == ["y"]
    assert entry_after(empty, entry) is None
    assert one.read_again(b"{") is None


def test_a_record_leads_to_its_file(around: Surroundings) -> None:
    path = str(around.home / ".cursor" / "mcp.json")
    entry = Wrapped("cursor", "user", ("mcpServers", "a"), "a", b"", b"", None, b"")
    records = [FileRecord(path, (entry, entry)), FileRecord(f"{path}x", (entry,))]
    found = open_recorded(records, around)
    assert [(one.target.path, one.contents.found.client) for one in found.opened] == [
        (path, CLIENTS["cursor"])
    ]
    assert len(found.troubles) == 1
