"""What the person who starts `mcptap mcp` allows it to show. Imported before a client is answered."""

from __future__ import annotations

import os


class Settings:
    """What the person who starts the server allows it to show."""

    __slots__ = ("everything", "folder", "server", "since")

    def __init__(
        self, folder: str | None = None, server: str = "", since: str = "", everything: bool = False
    ) -> None:
        self.folder = folder
        """The folder with recordings, in place of the user's own."""
        self.server = server
        """Only servers so called."""
        self.since = since
        """Only sessions since then."""
        self.everything = everything
        """Also sessions that were started elsewhere than in the client's folder."""


def settings_of(words: list[str]) -> Settings | None:
    """The settings that the usual options ask for, spelled out; None for all else, which a parser explains.

    argparse costs more than a bare interpreter's start.
    """
    values: dict[str, str] = {}
    rest = iter(words)
    everything = False
    for word in rest:
        if word == "--all":
            everything = True
        elif word in ("--dir", "--server"):
            values[word] = next(rest, "")
            if not values[word] or values[word].startswith("-"):
                return None
        else:
            return None
    if not os.path.isdir(values.get("--dir", ".")):
        return None
    return Settings(values.get("--dir"), values.get("--server", ""), everything=everything)
