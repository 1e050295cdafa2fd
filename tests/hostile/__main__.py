"""Time and memory of commands on recordings of odd shapes, and mutants by hand.

python -m tests.hostile shapes [SIZE [NAME…]]      SIZE: 1,000,000 unless given
python -m tests.hostile mutants [COUNT [SEED]]     COUNT: 100,000 unless given
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.hostile.shapes import SHAPES, write

COMMANDS = (
    ("check",),
    ("check", "--json", "--stats"),
    ("show",),
    ("ls",),
    ("diff",),
    ("mock",),
    ("index",),
)

MEASURED = """
import resource, subprocess, sys
null = subprocess.DEVNULL
status = subprocess.call(sys.argv[1:], stdin=null, stdout=null, stderr=null)
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""A small process in between: to a process the kernel counts the memory of the one that started it."""


def measure(command: tuple[str, ...], path: Path) -> tuple[float, int, int]:
    """Seconds, highest memory in MB, and exit status (-1: it was stopped after ten minutes)."""
    name, *options = command
    target = f"{path.parent}/" if name == "ls" else str(path)
    if name == "index":
        code = "import sys; from pathlib import Path; from tests.hostile.commands import index_only; "
        argv = [sys.executable, "-c", code + "index_only(Path(sys.argv[1]))", target]
    else:
        argv = [sys.executable, "-m", "mcptap", name, *options, target, *([target] if name == "diff" else [])]
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *argv], stdout=subprocess.PIPE, text=True, check=True
    )
    status, kilobytes = map(int, done.stdout.split())
    return time.monotonic() - begun, kilobytes // 1000, status


def shapes(size: int = 1_000_000, names: list[str] | None = None) -> None:
    """Print what each command takes on each shape."""
    for name in names or SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            path = write(Path(folder) / "shape.jsonl", SHAPES[name](size))
            print(f"{name}: {path.stat().st_size / 1e6:.1f} MB")
            for command in COMMANDS:
                seconds, memory, status = measure(command, path)
                print(f"  {' '.join(command):22} {seconds:7.1f} s {memory:6} MB  status {status}", flush=True)


def main(arguments: list[str]) -> int:
    """Run what the arguments name."""
    what, *rest = arguments or [""]
    if what == "shapes":
        shapes(int(rest[0]) if rest else 1_000_000, rest[1:])
    elif what == "mutants":
        from tests.hostile.mutants import run_many

        return run_many(int(rest[0]) if rest else 100_000, int(rest[1]) if len(rest) > 1 else 0)
    else:
        print(__doc__, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
