"""What one copies to go on elsewhere: an answer's text, a finding, a command, an entry, a test."""

from __future__ import annotations

import json
import re
import shlex

from mcptap.diagnosis.engine.finding import Finding
from mcptap.jsontext.tree import dumps, parse
from mcptap.masking.masker import Masker
from mcptap.protocol.revisions.names import OPENING
from mcptap.recording.format.model import Header
from mcptap.text.escape import visible_json
from mcptap.tui.export.aside import TEXT, made_of
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import ChannelCode, Kind
from mcptap.tui.index.loaded import load, whole_line
from mcptap.tui.widgets.text import visible

OPENING_WITHIN = 50
"""Records in which the client's opening is looked for."""


def answer_text(index: RecordIndex, i: int, masker: Masker) -> str:
    """The text of the answer at this index, whole, masked; empty if it has none. Raises OSError."""
    whole = whole_line(index, i)
    return made_of(TEXT, whole[1], masker) if whole is not None else ""


def finding_text(finding: Finding, masker: Masker) -> str:
    """A finding with what comes of it and what to do."""
    where = f", record {finding.line:,}" if finding.line else ""
    lines = [f"{finding.level.word}: {finding.rule}{where}", finding.message]
    lines += [finding.consequence] if finding.consequence else []
    lines += [f"→ {finding.remedy}"] if finding.remedy else []
    return masker.text("\n".join(visible(line) for line in lines))


def send_command(path: str, record: int) -> str:
    """The command that sends the client's line with this record number to a fresh server."""
    return f"mcptap send {shlex.quote(path)} --only {record}"


def entry(header: Header, masker: Masker) -> str:
    """The server as an entry of `.mcp.json`."""
    command, *arguments = masker.argv(header.argv)
    servers = {header.name or "server": {"command": command, "args": arguments}}
    return visible_json(json.dumps({"mcpServers": servers}, indent=2, ensure_ascii=False))


def pytest_stub(index: RecordIndex, i: int, masker: Masker) -> str:
    """A test that starts the server, sends the recorded opening and the request, and looks at the answer.

    It needs Python and pytest alone. Raises OSError, and ValueError if the line is no JSON.
    """
    header = load(index, 0).record
    header = header if isinstance(header, Header) else Header({})
    folder = masker.text(header.cwd or ".")
    opening = [_masked(index, j, masker) for j in _opening(index, i)]
    request = _masked(index, i, masker)
    subject = " ".join(filter(None, (index.name(index.methods[i]), index.name(index.tools[i]))))
    name = re.sub(r"\W+", "_", subject, flags=re.ASCII).strip("_").lower() or "request"
    argv = masker.argv(header.argv)
    holes = "  # values in ‹…› were masked: fill them in" if masker.masked else ""
    lines = ",\n".join(f"    {line!r}" for line in (*opening, request))
    return _STUB.format(
        subject=visible(subject), argv=argv, folder=folder, lines=lines, name=name, holes=holes
    )


_STUB = '''\
"""{subject}, as it was recorded."""

import json
import subprocess

COMMAND = {argv!r}{holes}
FOLDER = {folder!r}
LINES = [{holes}
{lines},
]


def test_{name}():
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, cwd=FOLDER, stdin=pipe, stdout=pipe, text=True) as server:
        for line in LINES:
            server.stdin.write(line + "\\n")
            server.stdin.flush()
            wanted = json.loads(line).get("id")
            answer = {{}}
            while wanted is not None and not (answer.get("id") == wanted and "method" not in answer):
                read = server.stdout.readline()
                assert read, "the server ended without an answer"
                answer = json.loads(read)
        server.stdin.close()
    assert "error" not in answer
    assert not answer["result"].get("isError")
'''


def _opening(index: RecordIndex, i: int) -> list[int]:
    """Indices of the client's lines that open the session, before this one."""
    kinds = (Kind.REQUEST, Kind.NOTIFICATION)
    return [
        j
        for j in range(min(i, OPENING_WITHIN, index.described))
        if index.kinds[j] in kinds
        and index.channels[j] == ChannelCode.C2S
        and index.name(index.methods[j]) in OPENING
    ]


def _masked(index: RecordIndex, i: int, masker: Masker) -> str:
    whole = whole_line(index, i)
    return dumps(masker.value(parse(whole[1]))) if whole is not None else ""
