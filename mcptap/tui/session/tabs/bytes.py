"""The bytes of the record under the cursor, in hex."""

from __future__ import annotations

from mcptap.recording.format.model import Line as WireLine
from mcptap.text.units import counted
from mcptap.tui.index.loaded import exact_bytes
from mcptap.tui.session.tabs.tab import Page, Tab, View, no_record
from mcptap.tui.widgets.document import Line
from mcptap.tui.widgets.hexdump import remarks

SHOWN = 8 << 20
"""Bytes of a line that are read for it."""


def _header(data: bytes) -> bytes:
    """The header without the secrets of its command line."""
    from mcptap.recording import made_here

    return made_here.masker().data(data)


class BytesTab(Tab):
    """The bytes as they were received, with what is unusual about them."""

    name = "bytes"
    key = "2"
    help = "detail: the bytes as received, in hex"
    about_record = True

    def render(self, view: View) -> Page:
        """The number of bytes, remarks, and the bytes."""
        loaded = view.record
        if loaded is None:
            return no_record(view)
        data = exact_bytes(view.index, loaded) if loaded.total <= SHOWN else loaded.data
        if loaded.index == 0:
            data = _header(data)
        of = f" of {loaded.total:,}" if len(data) < loaded.total else ""
        total = counted(len(data), "byte") + of
        title = Line([(f"record {loaded.number:,}  ", "title"), (total, "dim"), (" ", "rule")])
        said = remarks(data)
        if loaded.index == 0 and data != loaded.data:
            said.insert(0, "secrets are masked here, so these are not the file's exact bytes")
        if isinstance(loaded.record, WireLine) and not loaded.record.is_exact:
            said.insert(0, "not the exact bytes: another program rewrote this record")
        return Page([title, *(Line([("▒ " + remark, "pollution")]) for remark in said)], data)
