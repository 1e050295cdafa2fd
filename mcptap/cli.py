"""Where `mcptap` begins. `run` is told apart first, since a server is waiting for it."""

from __future__ import annotations

import sys


def main() -> int:
    """The console script: run what `sys.argv` asks for; return the exit status."""
    arguments = sys.argv[1:]
    if arguments and (arguments[0] == "run" or (arguments[0].startswith("-") and "--" in arguments)):
        try:
            from mcptap.shim.run import main as run

            return run(arguments[1:] if arguments[0] == "run" else arguments)
        except KeyboardInterrupt:
            return 130  # before the server was started; afterwards signals are the server's
    from mcptap.commands import main as command

    return command(arguments)
