"""What the process does to the machine: it opens files to read them, and nothing else. Seen by strace."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from mcptap.agent.tools import CALLS, COMPARE, RECORD, SESSIONS, WHY
from tests.agent.asking import GLUED, INITIALIZE, keep, talk
from tests.helpers import request

TRACED = (
    "open,openat,creat,mkdir,unlink,unlinkat,rename,renameat2,link,symlink,chmod,truncate,ftruncate,connect"
)
CALLED = re.compile(r"(?!clone)\w+\(")
OPEN = re.compile(r"open(?:at)?\(")
STARTS = re.compile(r"v?fork\(|execve\(|clone3?\((?!.*CLONE_THREAD)")
BEGINNINGS = 2
"""The launcher, and the Python that it becomes."""


def can_trace() -> bool:
    strace = shutil.which("strace")
    return (
        strace is not None
        and subprocess.run([strace, "-o", "/dev/null", "true"], check=False).returncode == 0
    )


@pytest.mark.skipif(not can_trace(), reason="strace is not there, or may not trace")
def test_all_tools_together_write_start_and_connect_nothing(tmp_path: Path) -> None:
    recordings, trace = tmp_path / "recordings", tmp_path / "trace"
    keep(recordings, "weather", GLUED, 1)
    keep(recordings, "weather", GLUED, 2)
    asked = [
        (SESSIONS, {}),
        (WHY, {}),
        (CALLS, {"session": "weather", "filter": "dir:stderr or forecast"}),
        (RECORD, {"session": "weather", "record": 8}),
        (COMPARE, {"before": "weather#1", "after": "weather#2"}),
        (WHY, {"session": str(keep(tmp_path / "elsewhere", "notes", GLUED))}),
    ]
    lines = [
        request(key, "tools/call", {"name": name, "arguments": arguments})
        for key, (name, arguments) in enumerate(asked, 1)
    ]
    strace = ["strace", "-f", "-qq", "-o", str(trace), "-e", f"trace={TRACED},fork,vfork,clone,clone3,execve"]
    said = talk([INITIALIZE, *lines], "--all", "--dir", str(recordings), before=strace)
    assert [message["result"].get("isError", False) for message in said[1:]].count(True) == 1
    calls = [line.partition(" ")[2].strip() for line in trace.read_text().splitlines()]
    # What Python itself keeps there, if the package was not compiled when it was installed, is not ours.
    calls = [call for call in calls if "__pycache__" not in call]
    opened = [call for call in calls if OPEN.match(call)]
    assert [call for call in opened if "O_RDONLY" not in call and '"/dev/' not in call] == []
    assert [call for call in opened if "elsewhere" in call] == []
    started = [call for call in calls if STARTS.match(call)]
    assert (
        len([call for call in started if call.startswith("execve(") and call.endswith("= 0")]) <= BEGINNINGS
    )
    assert [call for call in started if not call.startswith("execve(")] == []
    assert [call for call in calls if CALLED.match(call) and call not in (*opened, *started)] == []
