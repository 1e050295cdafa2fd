"""mcptap put in front and taken out: only the bytes of the command line change, and all of them come back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from mcptap.clients.configs.contents import contents_of
from mcptap.clients.configs.entry import ServerEntry
from mcptap.clients.configs.find import FoundConfig
from mcptap.clients.configs.nodes import Document
from mcptap.clients.table import CLIENTS
from mcptap.setup.edits import applied, taking_back, unwrapping, wrapping
from mcptap.setup.verified import is_exact
from tests.setup.generated import Generated, json_configs, toml_configs, yaml_configs

OWN = ("/opt/my tools/mcptap", "run", "--name", "x", "--")


def read(client: str, data: bytes) -> tuple[Document, dict[str, ServerEntry]]:
    row = CLIENTS[client]
    files = row.configuration.files.value
    assert files
    contents = contents_of(FoundConfig(row, Path("/x"), (files[0],), True, ((0, 0),)), data)
    assert contents.document is not None, contents.problems
    return contents.document, {entry.name: entry for entry in contents.entries}


def there_and_back(generated: Generated) -> None:
    document, entries = read(generated.client, generated.data)
    assert {name: entry.argv for name, entry in entries.items()} == generated.servers
    for name, entry in entries.items():
        edits, record = wrapping(document, entry, OWN)
        wrapped = applied(document.data, edits)
        behind, now = read(generated.client, wrapped)
        assert now[name].argv == [*OWN, *entry.argv]
        assert now[name].layers == 1 + entry.layers
        assert is_exact(document.data, wrapped, document.syntax, [(entry, now[name].argv)])

        back = taking_back(behind, now[name], record)
        assert back is not None
        assert applied(wrapped, back) == document.data

        if entry.layers:
            continue
        # Without what is on record: the same command line, and the very bytes if there was a list before.
        rebuilt = applied(wrapped, unwrapping(behind, now[name], had_args=entry.args_node is not None))
        _, again = read(generated.client, rebuilt)
        assert again[name].argv == entry.argv
        assert is_exact(wrapped, rebuilt, document.syntax, [(now[name], entry.argv)])
        if document.syntax.is_json and entry.args:
            assert rebuilt == document.data


@settings(max_examples=50)
@given(json_configs())
def test_json_comes_back_in_its_very_bytes(generated: Generated) -> None:
    there_and_back(generated)


@settings(max_examples=50)
@given(toml_configs())
def test_toml_comes_back_in_its_very_bytes(generated: Generated) -> None:
    there_and_back(generated)


@settings(max_examples=30)
@given(yaml_configs())
def test_yaml_comes_back_in_its_very_bytes(generated: Generated) -> None:
    pytest.importorskip("yaml")
    there_and_back(generated)
