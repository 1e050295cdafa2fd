"""The real process: what stands on its stdout, how it begins and ends."""

import json
import os
import subprocess
import sys

import pytest

from mcptap.agent import serve
from mcptap.agent.lines import LONGEST_LINE
from mcptap.agent.tools import SESSIONS, WHY
from tests.agent.asking import GLUED, INITIALIZE, keep, talk
from tests.helpers import notification, request
from tests.shim.running import MCPTAP, PATIENCE_S


def test_a_session_of_either_era_is_answered_line_by_line(tmp_path):
    keep(tmp_path, "weather", GLUED)
    said = talk(
        [
            INITIALIZE,
            notification("notifications/initialized"),
            b"no JSON\n",
            request(1, "tools/list"),
            request(2, "tools/call", {"name": WHY, "arguments": {"session": "weather"}}),
            request(3, "ping"),
            request(4, "tools/call", {"name": SESSIONS, "arguments": {}}),
            b"x" * (LONGEST_LINE + 1) + b"\n",
            request(5, "no/such"),
        ],
        "--all",
        "--dir",
        str(tmp_path),
    )
    by_id = {message["id"]: message for message in said}
    assert len(said) == 8
    assert set(by_id) == {0, 1, 2, 3, 4, 5, None}
    assert "stdout-glued" in by_id[2]["result"]["content"][0]["text"]
    assert "weather#1" in by_id[4]["result"]["content"][0]["text"]
    assert by_id[5]["error"]["code"] == -32601


IMPORTED = """
import sys
before = set(sys.modules)
sys.argv = ["mcptap", "mcp"]
from mcptap.cli import main
main()
print(*sorted(set(sys.modules) - before), file=sys.stderr)
"""


def test_the_handshake_and_the_list_import_nothing_that_a_client_would_wait_for():
    lines = b"".join(
        json.dumps(message).encode() + b"\n"
        for message in (INITIALIZE, request(1, "tools/list"), request(2, "ping"))
    )
    run = subprocess.run(
        [sys.executable, "-c", IMPORTED], input=lines, capture_output=True, timeout=PATIENCE_S, check=True
    )
    assert len(run.stdout.splitlines()) == 3
    imported = set(run.stderr.decode().split())
    assert "mcptap.agent.conversation" in imported
    heavy = {"argparse", "dataclasses", "enum", "json", "orjson", "re", "trio", "typing", "mcptap.commands"}
    assert not imported & heavy
    assert not [name for name in imported if name.startswith(("mcptap.diagnosis", "mcptap.protocol"))]


def test_what_is_printed_by_mistake_does_not_reach_the_client():
    code = "from mcptap.agent.serve import _guarded_stdout, write\n"
    run = subprocess.run(
        [sys.executable, "-c", f"{code}out = _guarded_stdout()\nprint('astray')\nwrite(out, b'said')"],
        capture_output=True,
        check=True,
    )
    assert run.stdout == b"said"
    assert b"astray" in run.stderr


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_when_the_client_no_longer_reads_it_ends():
    reading, writing = os.pipe()
    os.close(reading)
    run = subprocess.Popen([*MCPTAP, "mcp"], stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    _, err = run.communicate(json.dumps(INITIALIZE).encode() + b"\n", timeout=PATIENCE_S)
    assert (run.returncode, err) == (serve.NO_READER, b"")
