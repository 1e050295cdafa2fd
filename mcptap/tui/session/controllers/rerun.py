"""Starting the server once more: to send a recorded request again, or to probe it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcptap.recording.format.model import Header
from mcptap.tui.index.kinds import ANSWERS, ChannelCode, Kind
from mcptap.tui.index.loaded import load
from mcptap.tui.session.record_list import RecordList
from mcptap.tui.widgets.tap_screen import TapScreen

if TYPE_CHECKING:
    from mcptap.tui.run.launch_form import Purpose  # imported when one is asked for


class RerunController:
    """Opens the pages that ask before anything is started."""

    def __init__(self, screen: TapScreen, path: str, records: RecordList) -> None:
        self._screen = screen
        self._path = path
        self._list = records

    @property
    def request(self) -> int | None:
        """The index of the client's request under the cursor, or of the one that is answered there."""
        i, index = self._list.record, self._list.index
        if i is not None and i < index.described and index.kinds[i] in ANSWERS:
            i = index.partner(i)
        if i is None or i >= index.described:
            return None
        return i if index.kinds[i] == Kind.REQUEST and index.channels[i] == ChannelCode.C2S else None

    def ask_to_resend(self) -> None:
        """Offer to send the request under the cursor to a fresh server."""
        i = self.request
        if i is None:
            self._screen.notify("Only a request of the client can be sent again: put the cursor on one (→).")
            return
        header = self._header()
        if header is not None:
            from mcptap.tui.run.resend import Resend

            self._ask(header, Resend(self._path, header, self._list.index, i))

    def ask_to_probe(self) -> None:
        """Offer to probe a server that is started as the recorded one was."""
        header = self._header()
        if header is not None:
            from mcptap.tui.run.probing import Probe

            self._ask(header, Probe(self._path))

    def _ask(self, header: Header, purpose: Purpose) -> None:
        from mcptap.tui.run.launch_form import LaunchForm

        self._screen.app.push_screen(LaunchForm(header, purpose))

    def _header(self) -> Header | None:
        """How the server was started; None, and the user told, if that can't be read."""
        try:
            record = load(self._list.index, 0).record
        except OSError as error:
            self._screen.notify(f"The recording can't be read: {error.strerror}", severity="error")
            return None
        if isinstance(record, Header):
            return record
        self._screen.notify("The recording's header can't be read: how to start its server is not known.")
        return None
