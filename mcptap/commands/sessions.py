"""`mcptap` alone: the list of recordings on the screen."""

from __future__ import annotations

from mcptap.commands.replay import show_list


def main(arguments: list[str]) -> int:  # noqa: ARG001 - it is only called without any
    """Show the list; return the exit status."""
    return show_list()
