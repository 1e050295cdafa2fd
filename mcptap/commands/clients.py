"""`mcptap clients`: the configurations of clients here, and the servers in them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from mcptap.clients.configs.contents import entries_of
from mcptap.clients.configs.find import FoundConfig, config_files, surroundings
from mcptap.clients.configs.given import given, named_client
from mcptap.commands.options import Parser, add_configurations, add_unmasked
from mcptap.commands.output import tell
from mcptap.recording import made_here
from mcptap.report.configured_servers import as_lines, as_object, listed
from mcptap.report.last_recordings import LastRecordings
from mcptap.text.escape import visible_json
from mcptap.text.terminal import Terminal


def main(arguments: list[str]) -> int:
    """List configurations with their servers; return the exit status."""
    options = _parser().parse_args(arguments)
    around = surroundings()
    client = named_client(options.client)
    found: list[FoundConfig]
    if options.config:
        found = [given(Path(options.config), client, around)]
    else:
        every = config_files(client, around.home, around.cwd, around.environ, around.platform)
        found = [one for one in every if one.exists]
    configs = listed(list(map(entries_of, found)), LastRecordings(), around.environ, str(around.cwd))
    masker = None if options.unmasked else made_here.masker()
    if options.json:
        objects = [as_object(config, masker) for config in configs]
        print(visible_json(json.dumps(objects, indent=2, ensure_ascii=False)))
        return 0
    if not configs:
        whose = client.name if client is not None else "any client that mcptap knows"
        tell(f"there is no configuration of {whose} for {around.cwd}; name one with --config")
        return 0
    for line in as_lines(configs, Terminal(sys.stdout), masker, os.fspath(around.home)):
        print(line)
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="mcptap clients",
        description="List the configurations of MCP clients that count in this folder, and the servers in "
        "them: whether mcptap stands in front of each, or why it can't, and what its last session came to. "
        "Nothing is started and nothing is written.",
    )
    add_configurations(parser)
    parser.add_argument("--json", action="store_true", help="one JSON array of objects, one for each file")
    add_unmasked(parser)
    return parser
