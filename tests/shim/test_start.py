"""The server's start: pipes for what was open, and a process, before anything else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.shim.running import environment

PRELUDE = """
import fcntl, json, os, sys
from mcptap.shim.start import Start
def tell(**facts):
    os.write(ours, json.dumps(facts).encode())
ours = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 50)
"""


def told(program: str, tmp_path: Path, preexec_fn: Callable[[], None] | None = None) -> dict[str, Any]:
    """What a process of its own tells of its start: signals and descriptors are not this one's."""
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + program],
        stdin=subprocess.DEVNULL if preexec_fn is None else None,
        capture_output=True,
        check=True,
        env=environment(tmp_path),
        preexec_fn=preexec_fn,
    )
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


def test_the_server_has_pipes_of_which_the_other_ends_are_ours(tmp_path: Path) -> None:
    facts = told(
        """
start = Start(["cat"])
start.child.confirm()
start.close_servers_ends()
os.write(start.outer[0], b"hello")
os.close(start.outer[0])
seen = os.read(start.outer[1], 100).decode() + os.read(start.outer[1], 100).decode()
tell(stdio=start.stdio, seen=seen, argv=[word.decode() for word in start.argv], trouble=start.trouble)
""",
        tmp_path,
    )
    assert facts == {"stdio": ["null", "pipe", "pipe"], "seen": "hello", "argv": ["cat"], "trouble": ""}


def test_what_was_closed_stays_closed_and_its_number_is_not_used(tmp_path: Path) -> None:
    facts = told(
        """
start = Start(["true"])
tell(kind=start.stdio[0], inner=start.inner[0], outer=start.outer[0], lowest=min(start.outer[1:]))
""",
        tmp_path,
        preexec_fn=lambda: os.close(0),
    )
    assert (facts["kind"], facts["inner"], facts["outer"]) == ("closed", None, -1)
    assert facts["lowest"] > 2


@pytest.mark.parametrize("command", ["/no/such/program", "no-such-program"])
def test_a_program_that_is_not_there_is_told_when_confirmed(tmp_path: Path, command: str) -> None:
    facts = told(
        f"""
from mcptap.shim.start import system
start = Start([{command!r}])
try:
    start.child.confirm()
except system.CannotStart as failure:
    tell(code=failure.code)
""",
        tmp_path,
    )
    assert facts == {"code": 2}


def test_without_descriptors_to_spare_there_is_no_child_but_the_reason(tmp_path: Path) -> None:
    facts = told(
        """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))
start = Start(["true"])
tell(child=start.child is None, trouble=start.trouble, ends=[*start.inner, *start.outer])
""",
        tmp_path,
    )
    assert facts == {"child": True, "trouble": "Too many open files", "ends": []}


def test_a_server_that_is_not_wanted_after_all_is_gone(tmp_path: Path) -> None:
    facts = told(
        """
start = Start(["cat"])
start.end_unused()
try:
    os.kill(start.child.pid, 0)
except ProcessLookupError:
    tell(gone=True, ends=[*start.inner, *start.outer])
""",
        tmp_path,
    )
    assert facts == {"gone": True, "ends": []}
