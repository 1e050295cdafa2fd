import subprocess
import sys

from mcptap.masking.masker import Masker
from mcptap.tui.export.snippets import pytest_stub
from tests.helpers import END, call, handshake, record, text_result
from tests.tui.screens import indexed

SERVER = """\
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "method": "notifications/message"}), flush=True)
        result = {"isError": len(sys.argv) > 1}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


def test_the_test_that_is_made_of_a_request_runs_and_can_fail(tmp_path):
    for arguments, outcome in (([], ""), (["bad"], "AssertionError")):
        argv = [sys.executable, "-c", SERVER, *arguments]
        steps = [
            *handshake(),
            ("c2s", call(1, "fore-cast", {"x": "a'b\\"})),
            ("s2c", text_result(1, "x")),
            *END,
        ]
        index = indexed(record(tmp_path / f"{outcome}.jsonl", steps, argv=argv, cwd="."))
        i = next(i for i in range(len(index)) if b"fore-cast" in index.read(i))
        stub = pytest_stub(index, i, Masker())
        assert "def test_tools_call_fore_cast():" in stub
        done = subprocess.run(
            [sys.executable, "-c", f"{stub}\ntest_tools_call_fore_cast()"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert outcome in done.stderr
        assert bool(done.returncode) is bool(outcome)
