"""Hatch's build hook: puts the compiled launcher into the wheel as the command `mcptap`.

Where nothing compiles it the command is the Python script itself: all is the same, but that a server's
PYTHONHOME and its like reach the tap (mcptap/shim/README.md).
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sysconfig
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = os.path.dirname(os.path.abspath(__file__))


class Launcher(BuildHookInterface[Any]):
    """Compiles `mcptap.c`, statically if the machine can: then LD_PRELOAD can't reach it either."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the command to what is built."""
        self.folder = tempfile.TemporaryDirectory()
        program = os.path.join(self.folder.name, "mcptap")
        if self._compile(program):
            build_data["shared_scripts"][program] = "mcptap"
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"
        else:
            build_data["shared_scripts"][os.path.join(HERE, "mcptap-python")] = "mcptap"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled: it is in the wheel now."""
        self.folder.cleanup()

    def _compile(self, program: str) -> bool:
        if os.name != "posix":
            return False
        source = os.path.join(HERE, "mcptap.c")
        compiler = shlex.split(os.environ.get("CC", "cc"))
        for options in (["-static"], []):
            try:
                done = subprocess.run(
                    [*compiler, "-O2", "-s", *options, "-o", program, source],
                    capture_output=True,
                    check=False,
                )
            except OSError:  # no compiler
                return False
            if done.returncode == 0:
                return True
        self.app.display_warning(f"The launcher was not compiled: {done.stderr.decode(errors='replace')}")
        return False
