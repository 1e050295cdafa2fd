"""`mcptap` alone: the list of recordings on the screen."""

from __future__ import annotations

from mcptap.commands.replay import require_terminal


def main(arguments: list[str]) -> int:  # noqa: ARG001 - it is only called without any
    """Show the list; return the exit status."""
    require_terminal("latest")
    from mcptap.tui.app import run
    from mcptap.tui.recordings.screen import SessionsScreen

    return run(SessionsScreen())
