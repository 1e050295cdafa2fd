"""Pictures in the record under the cursor: saved, or opened by the desktop."""

from __future__ import annotations

import os
from functools import partial

from mcptap.jsontext.tree import parse
from mcptap.recording.format.model import Header
from mcptap.recording.paths import clean_name
from mcptap.text.units import size
from mcptap.tui.export.ask_path import AskPath
from mcptap.tui.index.kinds import ANSWERS
from mcptap.tui.index.loaded import load, whole_line
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.choice import Choice, Option
from mcptap.tui.widgets.tap_screen import TapScreen

MOST = 9
"""Pictures of one message that are offered."""


class PicturesController:
    """Asks what to do with the pictures of a message. Nothing is written or opened before."""

    def __init__(self, screen: TapScreen, timeline: Timeline) -> None:
        self._screen = screen
        self._timeline = timeline

    def ask(self) -> None:
        """Offer the pictures of the record under the cursor, or of the answer to it."""
        from mcptap.tui.export.pictures import Picture, open_picture, pictures_in

        index, i = self._timeline.index, self._timeline.record
        if i is not None and not (i < index.described and index.kinds[i] in ANSWERS):
            i = index.partner(i) or i
        found: list[Picture] = []
        try:
            whole = whole_line(index, i) if i else None
            if whole is not None:
                found = list(pictures_in(parse(whole[1])))
        except (OSError, ValueError):
            pass
        if not found or i is None:
            self._screen.notify("There is no picture in this message.")
            return
        options: list[Option] = []
        for k, picture in enumerate(found[:MOST], 1):
            name = f"{self._name()}-{i + 1}-{k}"
            what = f"{picture.kind or 'data of no known picture'}, {size(len(picture.data))}"
            if picture.kind:
                opened = partial(open_picture, picture, name)
                options.append((f"open {k} ({what})", partial(self._open, opened)))
            options.append((f"save {k} ({what})", partial(self._save, picture.data, name + picture.suffix)))
        self._screen.app.push_screen(Choice("Pictures, told by their bytes", options))

    def _name(self) -> str:
        header = load(self._timeline.index, 0).record
        return clean_name(header.name) if isinstance(header, Header) else "server"

    def _open(self, opened: partial[str]) -> None:
        try:
            path = opened()
        except OSError as error:
            self._screen.notify(f"Not opened: {error.strerror or error}", severity="error")
            return
        self._screen.notify(f"Opened {path}, which stays there.")

    def _save(self, data: bytes, name: str) -> None:
        from mcptap.tui.export.outside import write_export

        def write(path: str) -> None:
            write_export(path, data)
            self._screen.notify(f"Written to {path}.")

        self._screen.app.push_screen(AskPath("Save the picture as", os.path.join(os.getcwd(), name), write))
