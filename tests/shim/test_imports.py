"""A client waits for every start: what `mcptap run` imports, seen in a real process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shim.conftest import Start
from tests.shim.running import PYTHON

HEAVY = frozenset(
    [
        "argparse",
        "asyncio",
        "attr",
        "contextlib",
        "dataclasses",
        "importlib.metadata",
        "inspect",
        "json",
        "logging",
        "orjson",
        "pathlib",
        "platformdirs",
        "re",
        "socket",
        "subprocess",
        "tempfile",
        "textual",
        "threading",
        "traceback",
        "trio",
        "typing",
        "mcptap.commands",
        "mcptap.diagnosis",
        "mcptap.protocol",
        "mcptap.recording.model",
        "mcptap.recording.reader",
    ]
)

SPY = """
import atexit, os, sys
before = set(sys.modules)
real = os._exit
def spy(status):
    with open({path!r}, "w") as file:
        file.write("\\n".join(sorted(set(sys.modules) - before)))
    real(status)
os._exit = spy
from mcptap.cli import main
sys.exit(main())
"""


def imported(start: Start, tmp_path: Path, server: list[str], traffic: bytes) -> set[str]:
    import sys

    path = tmp_path / "modules"
    tap = start(
        [sys.executable, "-X", "frozen_modules=on", "-c", SPY.format(path=str(path)), "run", "--", *server],
        direct=True,
    )
    status, out, _ = tap.finish(traffic)
    assert (status, out) == (0, traffic)
    return set(path.read_text().split("\n"))


CAT = [*PYTHON, "-c", "import os\nwhile b := os.read(0, 65536): os.write(1, b)"]
SMALL = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % n for n in range(3)) + b"log\n"


@pytest.mark.parametrize("traffic", [b"", SMALL], ids=["no traffic", "small traffic"])
def test_a_session_imports_nothing_heavy(start: Start, tmp_path: Path, traffic: bytes) -> None:
    modules = imported(start, tmp_path, CAT, traffic)
    assert "mcptap.shim.run" in modules
    assert {name for name in modules if name in HEAVY or name.partition(".")[0] in HEAVY} == set()


def test_a_flood_imports_orjson_and_still_no_event_loop(start: Start, tmp_path: Path) -> None:
    modules = imported(start, tmp_path, CAT, b'{"a":1}\n' * 20_000)
    assert "orjson" in modules
    assert not modules & {
        "trio",
        "asyncio",
        "textual",
        "argparse",
        "mcptap.diagnosis",
        "mcptap.recording.reader",
    }
