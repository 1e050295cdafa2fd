"""Whole configurations: the samples, what is healthy, and whatever else somebody may have in a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.clients.table import CLIENTS
from mcptap.diagnosis.engine.finding import Level
from mcptap.errors import UserError
from mcptap.setup.doctor.check import CHECKS
from mcptap.setup.doctor.examination import examine, look, readers_of
from mcptap.setup.doctor.report import as_json, report
from tests.clients.configs.test_contents import SAMPLES
from tests.setup.machines import Disk, entry, examined_file, file_of, machine, worse

EXPECTED = sorted(SAMPLES.rglob("*.expected.json"))
SECRETS = ("FAKE", "sk-test", "Hunter2", "sk_live")
OFTEN = Disk(
    files=[r"C:\Tools\Ledger Server\ledger.exe"],
    begins=("/usr/bin/", "/opt/", "/home/sam/bin/", "/home/sam/.local/", "C:\\n\\"),
)
"""A machine on which the programs of the samples are there, but for those of sam's shop."""


def sample(path: Path):
    """The findings about a sample, and what is expected of it."""
    expected = json.loads(path.read_text())
    config = path.with_name(path.name.removesuffix(".expected.json"))
    client = expected["client"].split()[0]
    windows = expected.get("os") == "windows"
    environ = {"PATH": "C:\\n"} if windows else {}
    on = machine(OFTEN, environ, str(config.parent), "win32" if windows else "linux")
    files = look(on, CLIENTS["gemini-cli" if client == "gemini" else client], config)
    return files, examine(files), expected


FACTS = {
    ("01-claude-project", "notes", "warning"): "variable-unset",
    ("01-claude-project", "schema", "error"): "variable-of-server",
    ("01-claude-project", "issues", "warning"): "variable-unset",
    ("01-claude-project", "feed", "error"): "url-without-type",
    ("01-claude-project", None, "info"): "shared-file",
    ("02-claude-user", "files", "info"): "name-in-scopes secret-hidden",
    ("02-claude-user", None, "warning"): "rewritten",
    ("03-claude-desktop-windows", "ledger", "warning"): "cwd-ignored",
    ("03-claude-desktop-windows", "plain-npx", "warning"): "batch-file",
    ("03-claude-desktop-windows", None, "info"): "after-change",
    ("04-codex-user", "team docs", "warning"): "server-name",
    ("04-codex-user", "learn", "warning"): "relative-path",
    ("04-codex-user", None, "info"): "own-editor",
    ("05-codex-broken", "half", "error"): "entry-unusable",
    ("05-codex-broken", "both", "error"): "entry-unusable",
    ("05-codex-broken", "old", "info"): "old-form",
    ("06-cursor-project", "lint", "error"): "command-with-spaces",
    ("06-cursor-project", "maps", "warning"): "cwd-ignored",
    ("06-cursor-project", "crm", "info"): "variable-unset",
    ("07-vscode-workspace", None, "info"): "after-change",
    ("07-vscode-workspace", "pg", "info"): "input",
    ("08-vscode-settings", None, "warning"): "old-place",
    ("08-vscode-settings", None, "info"): "imports",
    ("09-zed", "legacy", "info"): "old-form",
    ("09-zed", "postgres-context-server", "info"): "secret-hidden",
    ("10-gemini", "git_tools", "warning"): "server-name variable-unset secret-in-arguments",
    ("10-gemini", None, "info"): "own-editor",
    ("11-opencode-v1", "browser", "info"): "variable-unset",
    ("12-opencode-v2", None, "error"): "newer-setting",
    ("13-goose", "tickets", "info"): "variable-dropped",
    ("14-continue", "sqlite", "warning"): "name-twice relative-path",
    ("15-copilot-cli", "play", "info"): "environment-short",
    ("15-copilot-cli", "play", "warning"): "npx-asks",
    ("16-cline", "nested", "warning"): "slow-start",
    ("16-cline", "oldweb", "info"): "url-key",
    ("17-windsurf", "cloud", "info"): "url-key",
    ("18-empty", None, "info"): "file-empty",
    ("19-wrong-key", None, "error"): "wrong-key",
    ("20-duplicate-names", "db", "error"): "name-twice",
    ("20-duplicate-names", "cache", "info"): "no-arguments",
    ("21-already-wrapped", "twice", "warning"): "wrapped-twice",
    ("21-already-wrapped", "edited", "warning"): "wrapper-bare",
    ("21-already-wrapped", "edited", "info"): "wrapper-unrecorded",
    ("22-secrets", "pay", "warning"): "secret-in-arguments secret-in-shared-file",
    ("22-secrets", "hook", "info"): "secret-hidden",
}
"""By which checks what is expected of a sample is found: sample, server and level."""


@pytest.mark.parametrize("path", EXPECTED, ids=lambda path: path.relative_to(SAMPLES).parts[0])
def test_what_is_expected_of_a_sample_is_found(path):
    name = path.relative_to(SAMPLES).parts[0]
    files, found, expected = sample(path)
    told = {(one.check, one.level.word, one.server or None) for one in found}
    for one in expected["doctor"]:
        if one["level"] == "ok":
            assert not [f for f in found if f.server == one["server"] and f.level > Level.INFO]
            continue
        for check in FACTS[name, one["server"], one["level"]].split():
            assert (check, one["level"], one["server"]) in told
    levels = {(name, one["server"], one["level"]) for one in expected["doctor"] if one["level"] != "ok"}
    assert levels == {key for key in FACTS if key[0] == name}
    text = json.dumps(as_json(files, found)) + "".join(
        line for _, line, _ in report(files, found, Level.INFO)
    )
    assert not [secret for secret in SECRETS if secret in text]


HEALTHY = {
    "opencode": {"type": "local", "command": ["npx", "-y", "x"], "environment": {"A": "1"}},
    "copilot-cli": {"type": "local", "command": "npx", "args": ["-y", "x"], "env": {}},
    "goose": {"type": "stdio", "name": "one", "cmd": "npx", "args": ["-y", "x"], "timeout": 300},
    "cline": {"command": "npx", "args": ["-y", "x"], "timeout": 60},
    "codex": '[mcp_servers.one]\ncommand = "npx"\nargs = ["-y", "x"]\n[mcp_servers.one.env]\nA = "1"\n',
}
CONFIGURED = [one for one in CLIENTS.values() if one.configuration.files.known and one.id != "cline-cli"]


@pytest.mark.parametrize("client", [one.id for one in CONFIGURED])
@pytest.mark.parametrize("shared", [True, False])
def test_a_healthy_configuration_of_each_client_has_nothing_above_info(client, shared):
    server = HEALTHY.get(client, {"command": "npx", "args": ["-y", "x"], "env": {"A": "1"}})
    data = server
    if client == "continue":
        data = {"mcpServers": [{"name": "one", **server}]}
    elif isinstance(server, dict):
        data = entry(client, server)
    file = examined_file(client, data, file=file_of(client, shared))
    found = examine([file])
    assert [one.name for one in file.entries] == ["one"]
    assert worse({one.check: one for one in found}) == []


ODD_BYTES = st.sampled_from([b"", b"[", b"{}", b"null", b'"', b"1e999", b"\xff", b"~/$x"])
ODD_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["npx", "~/x", "${A}", "", "a b", "./x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["command", "args", "env", "cwd", "type", "url", "timeout", "transport", "tools"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(EXPECTED), st.lists(st.tuples(st.floats(0, 1), ODD_BYTES), max_size=4))
def test_no_file_is_too_broken_to_be_looked_at(path, changes):
    expected = json.loads(path.read_text())
    client = "gemini-cli" if expected["client"] == "gemini" else expected["client"].split()[0]
    data = path.with_name(path.name.removesuffix(".expected.json")).read_bytes()
    for place, new in changes:
        at = int(place * len(data))
        data = data[:at] + new + data[at + 3 :]
    files = [examined_file(client, data)]
    found = examine(files)
    json.dumps(as_json(files, found))
    assert all(one.message.endswith((".", "?", "!", "…")) for one in found)
    assert all((one.line == 0) == (one.column == 0) for one in found)


@settings(max_examples=50, deadline=None)
@given(ODD_VALUES, st.sampled_from([one.id for one in CONFIGURED if one.id != "codex"]))
def test_no_entry_is_too_odd_to_be_looked_at(server, client):
    data = {"mcpServers": [server]} if client == "continue" else entry(client, server)
    assert isinstance(examine([examined_file(client, data)]), list)


def test_without_a_client_a_file_that_another_borrows_is_looked_at_once(tmp_path):
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {}}')
    on = machine(cwd=str(tmp_path))
    assert [file.client.id for file in look(on, None, None)] == ["claude-code"]
    assert [file.client.id for file in look(on, CLIENTS["copilot-cli"], None)] == ["copilot-cli"]


def test_a_file_that_is_not_there_is_an_error_of_the_user(tmp_path):
    with pytest.raises(UserError, match="there is no file"):
        look(machine(cwd=str(tmp_path)), None, tmp_path / "none.json")


def test_the_other_readers_of_a_file_are_known():
    found = examined_file("claude-code", "{}").contents.found
    assert {"copilot-cli", "visual-studio"} <= {client.id for client in readers_of(found)}
    cline = examined_file("cline", "{}", shared=False).contents.found
    assert "cline-cli" in {client.id for client in readers_of(cline)}


def test_every_check_has_a_summary_and_a_name_in_kebab_case():
    for check in CHECKS.values():
        assert check.id == check.id.lower().replace(" ", "-")
        assert check.summary[:1].islower() or check.summary.startswith(("URL", "cwd"))
        assert not check.summary.endswith(".")
