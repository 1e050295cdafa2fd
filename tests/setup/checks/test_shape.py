from __future__ import annotations

import json

import pytest

from mcptap.diagnosis.engine.finding import Level
from mcptap.setup.edits import applied
from tests.setup.machines import entry, findings, found_in, machine, worse


def mended(client, data, check):
    """The file after the repair of what a check found."""
    text = json.dumps(data, indent=2)
    found = {one.check: one for one in findings(client, text)}[check]
    assert found.fix is not None
    return json.loads(applied(text.encode(), found.fix.edits))


def test_servers_under_the_key_of_another_client_are_an_error_with_its_name():
    data = {"servers": {"a": {"type": "stdio", "command": "a-server"}}}
    (found,) = [one for one in findings("claude-code", data) if one.level > Level.INFO]
    assert (found.check, found.level, found.line, found.fix) == ("wrong-key", Level.ERROR, 2, None)
    assert "as Visual Studio does, which reads this file too" in found.message


@pytest.mark.parametrize(("platform", "level"), [("win32", Level.INFO), ("linux", Level.WARNING)])
def test_unless_the_client_was_asked_for_such_a_file_may_be_meant_for_another_that_runs_here(platform, level):
    data = {"servers": {"a": {"type": "stdio", "command": "a-server"}}}
    every = findings("claude-code", data, chosen=False, on=machine(platform=platform))
    assert [one.level for one in every if one.check == "wrong-key"] == [level]


def test_entries_without_an_object_around_them_are_found_by_nobody():
    data = {"$schema": "x", "a": {"command": "a-server"}, "b": {"url": "https://example.com"}}
    (found,) = [one for one in findings("cursor", data) if one.check == "wrong-key"]
    assert "Put them into an object under mcpServers" in found.remedy
    assert findings("cursor", {"a": {"command": "a-server"}, "other": True}) == []


def test_servers_under_the_key_of_another_client_beside_the_own_one_are_told():
    text = '[mcp_servers.a]\ncommand = "a-server"\n[mcpServers.b]\ncommand = "a-server"\n'
    (found,) = [one for one in findings("codex", text) if one.check == "wrong-key"]
    assert (found.level, found.line, found.fix) == (Level.WARNING, 3, None)
    both = {"mcpServers": {"a": {"command": "a-server"}}, "servers": {"b": {"command": "a-server"}}}
    assert "wrong-key" not in [one.check for one in findings("claude-code", both)]


def test_entries_one_level_too_deep_are_to_be_moved_up():
    inner = {"a": {"command": "a-server", "args": []}}
    assert "Move the entries in it one" in found_in("cursor", inner, "mcpServers")["entry-unusable"].remedy
    nested = {"type": "stdio", "enabled": True, "config": {"cmd": "a-server", "args": []}}
    assert "Move what stands in config one" in found_in("goose", nested)["entry-unusable"].remedy


@pytest.mark.parametrize("server", [{"command": "a\0b"}, {"args": ["\ud800"]}, {"env": {"A": "\udc80"}}])
def test_what_no_program_can_be_given_is_told_and_looked_into_no_further(server):
    found = found_in("claude-code", {"command": "a-server", "args": [], **server})
    assert worse(found) == ["entry-unusable"]
    assert found["entry-unusable"].effect.words == "What Claude Code makes of it is not known"


def test_a_client_that_needs_arguments_can_not_read_an_entry_without():
    server = {"type": "stdio", "name": "one", "cmd": "a-server"}
    assert worse(found_in("goose", server)) == ["no-arguments"]
    assert worse(found_in("goose", {**server, "args": []})) == []


def test_a_variable_that_is_a_number_stops_codex_and_is_not_mended_in_toml():
    text = '[mcp_servers.a]\ncommand = "a-server"\nenv = { PORT = 3, A = "b" }\n'
    (found,) = [one for one in findings("codex", text) if one.level > Level.INFO]
    assert (found.check, found.line, found.fix) == ("env-value", 3, None)


def test_the_types_of_remote_servers_are_those_of_the_client():
    for client, word in (("claude-code", "http or sse"), ("roo", "streamable-http or sse")):
        assert word in found_in(client, {"url": "https://example.com"})["url-without-type"].remedy


def test_where_no_other_client_reads_the_file_its_key_is_renamed():
    data = {"servers": {"a": {"command": "a-server"}}}
    assert mended("cursor", data, "wrong-key") == {"mcpServers": {"a": {"command": "a-server"}}}


def test_settings_without_servers_are_nothing_to_speak_of():
    assert findings("gemini-cli", {"general": {"vimMode": True}}) == []


def test_a_setting_of_a_newer_version_stops_the_one_that_is_known_and_its_shape_alone_does_not():
    servers = {"a": {"type": "local", "command": ["a-server"]}}
    data = {"mcp": {"timeout": 9000, "servers": servers}}
    found = {one.check: one for one in findings("opencode", data)}["newer-setting"]
    assert (found.level, found.server, found.line) == (Level.ERROR, "", 3)
    assert found.effect.words.startswith("opencode 1.18.33 does not start")
    alone = {one.check: one for one in findings("opencode", {"mcp": {"servers": servers}})}
    assert worse(alone) == []


def test_the_place_of_older_versions_is_a_warning():
    data = {"mcp": {"servers": {"a": {"command": "a-server"}}}}
    from mcptap.clients.table import CLIENTS

    older = next(file for file in CLIENTS["vscode"].configuration.files.value if "mcp.servers" in file.at)
    found = {one.check: one for one in findings("vscode", data, file=older)}
    assert found["old-place"].level is Level.WARNING


@pytest.mark.parametrize(
    ("client", "server", "message"),
    [
        ("claude-code", {"command": ["npx", "-y", "x"]}, "command is an array; Claude Code takes a string"),
        ("claude-code", {"command": "npx", "args": "-y"}, "args is a string and no array"),
        ("claude-code", {"command": "npx", "type": "local"}, "the type is 'local'"),
        (
            "opencode",
            {"type": "local", "command": "a-server"},
            "command is a string; opencode takes",
        ),
    ],
)
def test_an_entry_that_the_client_can_not_use_is_an_error(client, server, message):
    found = found_in(client, server)["entry-unusable"]
    assert found.level is Level.ERROR
    assert message.casefold() in found.message.casefold()
    assert found.effect.known.startswith("seen in")


def test_a_codex_entry_with_both_or_neither_stops_all_of_codex():
    text = (
        '[mcp_servers.half]\nargs = ["x"]\n[mcp_servers.both]\ncommand = "npx"\nurl = "https://x.example"\n'
    )
    found = [one for one in findings("codex", text) if one.check == "entry-unusable"]
    assert [(one.server, one.level, one.line) for one in found] == [
        ("half", Level.ERROR, 1),
        ("both", Level.ERROR, 3),
    ]
    assert all("refuses the whole file" in one.effect.words for one in found)


def test_command_and_url_together_are_only_a_warning_where_nobody_knows_which_is_taken():
    found = found_in("claude-code", {"command": "npx", "args": ["-y", "x"], "url": "https://x.example"})
    assert found["entry-unusable"].level is Level.WARNING


@pytest.mark.parametrize(
    ("client", "before", "after"),
    [
        ("claude-code", {"command": ["npx", "-y", "x"]}, {"command": "npx", "args": ["-y", "x"]}),
        ("claude-code", {"command": "npx", "args": "--help"}, {"command": "npx", "args": ["--help"]}),
        ("opencode", {"type": "local", "command": "a"}, {"type": "local", "command": ["a"]}),
    ],
)
def test_a_program_without_spaces_is_put_into_the_form_that_the_client_takes(client, before, after):
    assert mended(client, entry(client, before), "entry-unusable") == entry(client, after)


@pytest.mark.parametrize(
    ("client", "server"),
    [
        ("opencode", {"type": "local", "command": "npx -y x"}),
        ("claude-code", {"command": "npx", "args": "-y x"}),
        ("claude-code", {"command": ["npx", 1]}),
    ],
)
def test_what_could_be_meant_in_two_ways_is_left_to_the_user(client, server):
    assert found_in(client, server)["entry-unusable"].fix is None


def test_a_url_needs_a_type_in_claude_code_alone():
    found = found_in("claude-code", {"url": "https://x.example"})["url-without-type"]
    assert (found.level, found.effect.words) == (Level.ERROR, "Claude Code skips the entry with a warning")
    assert worse(found_in("claude-code", {"type": "http", "url": "https://x.example"})) == []
    assert worse(found_in("cursor", {"url": "https://x.example"})) == []


def test_variables_are_strings_where_that_is_known_and_the_repair_quotes_numbers():
    server = {"command": "npx", "args": ["-y", "x"], "env": {"PORT": 8080, "DEBUG": True, "NAME": "a"}}
    found = [one for one in findings("claude-code", entry("claude-code", server)) if one.check == "env-value"]
    assert [one.message for one in found] == [
        "The value of env.PORT is a number, and no string.",
        "The value of env.DEBUG is true or false, and no string.",
    ]
    fixed = mended("claude-code", entry("claude-code", {**server, "env": {"PORT": 8080}}), "env-value")
    assert fixed["mcpServers"]["one"]["env"] == {"PORT": "8080"}


def test_vs_code_takes_numbers_and_null():
    server = {"command": "npx", "args": ["-y", "x"], "env": {"PORT": 0, "DEBUG": None}}
    assert worse(found_in("vscode", server)) == []


def test_older_forms_and_other_keys_of_urls_are_worth_a_note():
    zed = found_in("zed", {"command": {"path": "node", "args": ["/opt/x.js"]}})
    assert zed["old-form"].level is Level.INFO
    text = '[mcp_servers.a]\ncommand = "a-server"\nstartup_timeout_ms = 15000\n'
    codex = {one.check: one for one in findings("codex", text)}["old-form"]
    assert codex.message == "startup_timeout_ms is the older spelling of startup_timeout_sec."
    assert (
        "serverUrl is a key of Windsurf"
        in found_in("windsurf", {"serverUrl": "https://x.example"})["url-key"].message
    )
    assert "means sse" in found_in("cline", {"url": "https://x.example"})["url-key"].message


def test_an_entry_without_arguments_is_worth_a_note():
    assert found_in("claude-code", {"command": "a-server"})["no-arguments"].level is Level.INFO
    assert "no-arguments" not in found_in("opencode", {"type": "local", "command": ["a-server"]})


@pytest.mark.parametrize(
    ("client", "server", "own"),
    [
        ("opencode", {"type": "local", "command": ["a-server"], "env": {"A": "b"}}, "in environment"),
        ("claude-code", {"command": "a-server", "args": [], "disabled": True}, "no effect here"),
    ],
)
def test_a_key_of_another_client_that_is_ignored_in_silence_is_told(client, server, own):
    found = found_in(client, server)
    assert worse(found) == ["key-ignored"]
    assert own in found["key-ignored"].remedy
    assert found["key-ignored"].effect.sentence.startswith(
        f"{found['key-ignored'].client.name} takes no notice"
    )


def test_a_key_that_is_ignored_and_says_nothing_is_no_matter():
    assert worse(found_in("claude-code", {"command": "a-server", "args": [], "disabled": False})) == []
