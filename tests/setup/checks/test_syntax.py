from __future__ import annotations

import pytest

from mcptap.clients.configs.contents import entries_of
from mcptap.clients.configs.find import FoundConfig
from mcptap.clients.configuration import ConfigFile
from mcptap.clients.table import CLIENTS
from mcptap.diagnosis.engine.finding import Level
from mcptap.setup.doctor.examination import examine
from mcptap.setup.doctor.subject import ExaminedFile
from mcptap.setup.edits import applied
from tests.setup.machines import findings, machine

GOOD = '{"mcpServers": {"one": {"command": "npx", "args": ["-y", "one"]}}}'


def told(client, data):
    return {one.check: one for one in findings(client, data, shared=False)}


def test_a_file_that_is_no_json_is_told_with_its_place_and_what_the_client_does():
    found = told("claude-code", '{"mcpServers": {\n  "one": }}')["file-unreadable"]
    assert (found.level, found.line, found.server) == (Level.ERROR, 2, "")
    assert found.effect.sentence.startswith("Claude Code takes no server from the file; where that is ")
    assert found.effect.sentence.endswith("(seen in 2.1.332)")


def test_a_file_in_utf_16_is_to_be_saved_as_utf_8():
    found = told("claude-code", GOOD.encode("utf-16"))["file-unreadable"]
    assert (found.message, found.remedy) == (
        "The file can't be read: it is UTF-16; save it as UTF-8.",
        "Save it as UTF-8.",
    )


def test_what_the_client_does_with_a_file_that_it_can_not_read_is_not_invented():
    assert "is not known" in told("cursor", "{")["file-unreadable"].effect.sentence


@pytest.mark.parametrize("client", ["claude-code", "gemini-cli"])
def test_a_trailing_comma_is_an_error_where_none_is_taken_and_the_repair_takes_all_out(
    client,
):
    data = '{"mcpServers": {"one": {"command": "npx", "args": ["-y", "one",],},},}'
    found = told(client, data)["syntax-not-allowed"]
    assert found.level is Level.ERROR
    assert found.column == data.index(",]") + 1
    assert found.fix is not None
    mended = applied(data.encode(), found.fix.edits).decode()
    assert mended == GOOD.replace('"one"]', '"one" ]').replace("}}}", " } } }").replace('" ]}', '" ]')


def test_a_comment_has_no_certain_repair_since_somebody_wrote_it():
    found = told("claude-code", GOOD.replace("{", "{ // mine\n", 1))["syntax-not-allowed"]
    assert (found.level, found.fix) == (Level.ERROR, None)


def test_where_it_is_not_known_that_a_comment_does_harm_it_is_a_warning():
    found = told("cursor", GOOD.replace("{", "{ // mine\n", 1))["syntax-not-allowed"]
    assert found.level is Level.WARNING


@pytest.mark.parametrize(
    ("client", "data"), [("vscode", '{"servers": {}, /* c */}'), ("gemini-cli", "{} // c")]
)
def test_comments_are_fine_where_the_client_takes_them(client, data):
    assert "syntax-not-allowed" not in told(client, data)


def test_an_empty_file_is_worth_a_note():
    found = told("claude-code", "")["file-empty"]
    assert (found.level, found.effect.known) == (Level.INFO, "seen in 2.1.332")


def test_yaml_without_its_package_is_no_fault_of_the_file(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "yaml", None)
    found = told("goose", "extensions: {}")["file-unreadable"]
    assert found.level is Level.INFO
    assert "pip install" in found.message


def test_what_was_seen_of_files_without_sense_is_not_said_of_those_that_can_not_be_opened(tmp_path):
    found = FoundConfig(CLIENTS["gemini-cli"], tmp_path, (ConfigFile("user", "~/x"),), True, ((0, 0),))
    (told,) = examine([ExaminedFile(entries_of(found), machine())])
    assert told.message == "The file can't be read: Is a directory."
    assert told.effect.words == "What Gemini CLI does with such a file is not known"
