"""Where `mcptap` begins. `run` is told apart first, since a server is waiting for it."""

from __future__ import annotations

import sys


def main() -> int:
    """The console script: run what `sys.argv` asks for; return the exit status."""
    arguments = sys.argv[1:]
    serves = bool(arguments) and (
        arguments[0] == "run" or (arguments[0].startswith("-") and "--" in arguments)
    )
    if serves:
        _end_at_interrupts()
    if "mcptap" in sys._xoptions:
        from mcptap.shim.launched import undo

        undo()
    elif serves:
        _leave_out_pythonpath()
    if serves:
        from mcptap.shim.run import main as run

        return run(arguments[1:] if arguments[0] == "run" else arguments)
    try:
        return _command(arguments)
    except KeyboardInterrupt:  # while modules were imported; commands handle their own
        return 130


def _command(arguments: list[str]) -> int:
    """Run any other command."""
    if arguments[:1] == ["mcp"]:  # a client is waiting for it, too
        from mcptap.agent.serve import serve
        from mcptap.agent.settings import settings_of

        settings = settings_of(arguments[1:])
        if settings is not None:
            return serve(settings)
    from mcptap.commands import main as command

    return command(arguments)


def _leave_out_pythonpath() -> None:
    """Import nothing from PYTHONPATH, which is meant for the server, or from the folder we are started in.

    A module there may have the name of one of the standard library's, or be orjson for another
    Python. Without the launcher Python itself has imported from there already.
    """
    import os

    ours = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    library = os.path.dirname(os.__file__)
    folders = set()
    for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep):
        try:
            folders.add(os.path.abspath(folder))
        except OSError:  # relative to a folder that was deleted
            folders.add(folder)
    folders -= {ours, library, f"{library}/lib-dynload"}
    sys.path[:] = [folder for folder in sys.path if folder and folder not in folders]


def _end_at_interrupts() -> None:
    """Before the server is started an interrupt ends the tap as it would have ended the server.

    Python would raise KeyboardInterrupt in the middle of an import, with a traceback, or lose it.
    """
    # The other half of `signal` imports enum: a quarter of a bare interpreter's start.
    import _signal as signal  # type: ignore[import-not-found]

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
