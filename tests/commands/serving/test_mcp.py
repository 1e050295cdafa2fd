"""`mcptap mcp` as a command: what it refuses before it serves, and what it prints in place of that."""

import json
import re

import pytest

from mcptap.commands import main
from mcptap.setup import own_command


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--dir", "/no/such/folder"], "there is no folder /no/such/folder"),
        (["--since", "yesterday"], "--since can't be 'yesterday'; say 2h, 3d or a date"),
        (["--client", "codex"], "--client says nothing without --print-config"),
        (["--print-config", "--client", "no-such"], "--client 'no-such' is no client"),
    ],
)
def test_bad_options_are_one_sentence(capsys, arguments, words):
    assert main(["mcp", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_the_entry_for_a_client_is_printed_with_the_options_that_it_shall_have(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "recordings").mkdir()
    # Wherever this one lies: what lies in a temporary folder is not written into a configuration.
    monkeypatch.setattr(own_command, "_program", lambda _environ: "/opt/mcptap/bin/mcptap")
    assert main(["mcp", "--print-config", "--client", "cursor", "--all", "--dir", "recordings"]) == 0
    out = capsys.readouterr().out
    entry = json.loads(out.partition("\n")[2])["mcpServers"]["mcptap"]
    assert entry["args"][-4:] == ["mcp", "--dir", str(tmp_path / "recordings"), "--all"]


def test_the_page_for_agents_is_a_skill_that_fits_the_tools(capsys):
    from mcptap.agent.tools import NAMES

    assert main(["mcp", "--print-skill"]) == 0
    page = capsys.readouterr().out
    assert re.match(r"---\nname: mcptap\ndescription: .{40,500}\n---\n", page)
    assert set(re.findall(r"mcptap_\w+", page)) == set(NAMES)
