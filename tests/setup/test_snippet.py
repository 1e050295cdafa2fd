"""The entries that are printed are those that mcptap itself reads in each client's configuration."""

from pathlib import Path

import pytest

from mcptap.clients.client import Client
from mcptap.clients.configs.contents import contents_of
from mcptap.clients.configs.find import FoundConfig
from mcptap.clients.configuration import Transport
from mcptap.clients.table import CLIENTS
from mcptap.setup.snippet import snippet, snippets

WORDS = ["/opt/my tools/mcptap", "mcp", "--server", 'we"ath]er']

CONFIGURED = [client for client in CLIENTS.values() if client.configuration.files.known]


@pytest.mark.parametrize("client", CONFIGURED, ids=lambda client: client.id)
def test_the_entry_is_read_as_a_server_with_this_command(client: Client):
    text = snippet(client, "mcptap", WORDS)
    files = client.configuration.files.value
    keys = client.configuration.servers_at.value
    file = next(file for file in files if not file.at or file.at == keys[:1])
    contents = contents_of(FoundConfig(client, Path("/x"), (file,), True, ranks=((0, 0),)), text.encode())
    assert not contents.problems
    (entry,) = contents.entries
    assert (entry.name, entry.argv, entry.transport) == ("mcptap", WORDS, Transport.STDIO)
    assert not entry.disabled


def test_clients_of_one_form_stand_together_each_with_its_files():
    text = "\n\n".join(snippets("mcptap", WORDS))
    assert text.count("Claude Code: ~/.claude.json (user), .mcp.json (project)\n") == 1
    assert text.count('"mcpServers"') == 1
    assert "/etc/" not in text
    assert next(snippets("mcptap", WORDS, CLIENTS["codex"])).startswith(
        "Codex: ~/.codex/config.toml (user), "
    )


def test_of_what_is_no_client_nothing_is_known():
    library = next(client for client in CLIENTS.values() if not client.configuration.files.known)
    assert list(snippets("mcptap", WORDS, library)) == []
