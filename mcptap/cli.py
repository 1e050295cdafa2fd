"""Where `mcptap` begins. `run` is told apart first, since a server is waiting for it."""

from __future__ import annotations

import sys


def main() -> int:
    """The console script: run what `sys.argv` asks for; return the exit status."""
    arguments = sys.argv[1:]
    if arguments and (arguments[0] == "run" or (arguments[0].startswith("-") and "--" in arguments)):
        _let_interrupts_end_us()
        from mcptap.shim.run import main as run

        return run(arguments[1:] if arguments[0] == "run" else arguments)
    from mcptap.commands import main as command

    return command(arguments)


def _let_interrupts_end_us() -> None:
    """Before the server is started an interrupt ends the tap as it would have ended the server.

    Python would raise KeyboardInterrupt in the middle of an import, with a traceback, or lose it.
    """
    import signal

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
