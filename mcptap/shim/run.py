"""`mcptap run`: start the server, and only then import what stands in between."""

from __future__ import annotations

import os

from mcptap.errors import UserError
from mcptap.shim.options import HELP, Options
from mcptap.shim.start import Start, resolve


def main(arguments: list[str]) -> int:
    """Run a server as the arguments say. Returns a status only if none was started."""
    try:
        options = Options(arguments)
    except UserError as error:
        _say(str(error))
        return 2
    if options.help:
        os.write(1, HELP.encode())  # sys.stdout might not know the characters
        return 0
    start = Start(options.command, options.record_terminal)
    try:
        from mcptap.shim.session import Session

        session = Session(options, start)
    except Exception as error:
        # No descriptor is left to read our own modules with, or a fault of ours: the server has
        # been asked nothing yet, and must not suffer for it.
        start.end_unused()
        if not (options.quiet or start.one_output):
            _say(f"cannot stand in between ({error}); the server runs unrecorded")
        sentence, status = resolve.explain(start.argv[0], start.environ, start.become_server())
        _say(sentence)
        os._exit(status)
    return session.run()


def _say(sentence: str) -> None:
    try:
        from mcptap.text.escape import visible

        sentence = visible(sentence)
    except Exception:  # no descriptor is left to read it with
        sentence = ascii(sentence)
    os.write(2, f"mcptap: {sentence}\n".encode(errors="backslashreplace"))
