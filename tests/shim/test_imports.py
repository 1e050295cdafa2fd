"""A client waits for every start: what `mcptap run` imports, seen in a real process."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from tests.shim.conftest import Start
from tests.shim.running import PYTHON, environment

HEAVY = frozenset(
    [
        "argparse",
        "asyncio",
        "attr",
        "contextlib",
        "dataclasses",
        "enum",
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
        "mcptap.recording.diverting",
        "mcptap.recording.format.decode",
        "mcptap.recording.format.model",
        "mcptap.recording.reader",
        "mcptap.shim.divert",
    ]
)

MODULES = ("binascii", "ctypes", "errno", "fcntl", "orjson", "resource", "select", "signal", "time")


def test_modules_that_are_meant_for_the_server_are_not_imported(start: Start, tmp_path: Path) -> None:
    for name in MODULES:
        (tmp_path / f"{name}.py").write_text(f"raise RuntimeError('this {name} is not for the tap')")
    variables = {**environment(tmp_path), "PYTHONPATH": str(tmp_path)}
    flood = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * 1000
    tap = start(["sh", "-c", "cat; echo $PYTHONPATH; kill -SEGV $$"], env=variables)
    assert tap.finish(flood) == (-11, flood + str(tmp_path).encode() + b"\n", b"")


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


def test_a_secret_that_an_option_names_is_masked_without_a_heavy_import(start: Start, tmp_path: Path) -> None:
    modules = imported(start, tmp_path, [*CAT, "--token", "hunter2"], b"")
    assert "mcptap.masking.argv" in modules
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


def test_the_installed_script_imports_nothing_before_the_program() -> None:
    """What pip generates for an entry point imports `re`, at two thirds of a bare interpreter's start."""
    script = Path(__file__).parents[2] / "mcptap" / "launcher" / "mcptap-python"
    tree = ast.parse(script.read_text())
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [ast.unparse(each) for each in imports] == ["import sys", "from mcptap.cli import main"]
    assert script.read_text().startswith("#!python\n")  # which installers replace
    assert os.access(script, os.X_OK)
