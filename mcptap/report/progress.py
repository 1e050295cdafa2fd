"""How far a long reading has come, on a terminal's stderr and nowhere else."""

from __future__ import annotations

import os
import shutil
import time
from types import TracebackType
from typing import TextIO

from mcptap.captures.open import Source
from mcptap.text.columns import cut
from mcptap.text.escape import visible
from mcptap.text.units import size

BIG = 32 << 20
"""A file of fewer bytes is done before anyone wonders."""

EVERY_S = 0.2


class Progress:
    """Shows a line that is overwritten, and wiped at the end. A context manager.

    Says nothing if the output is no terminal or the file is small.
    """

    def __init__(self, source: Source, output: TextIO) -> None:
        self._source = source
        self._output = output
        try:
            self._total = os.path.getsize(source.path)
        except OSError:
            self._total = 0  # a stream
        self._speaks = output.isatty()
        self._next = time.monotonic() + EVERY_S
        self._shown = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            self._output.write("\r\x1b[K")
            self._output.flush()

    def step(self) -> None:
        """Show how far it is, if it is time to."""
        if not self._speaks or (self._source.position < BIG and self._total < BIG):
            return
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + EVERY_S
        self._shown = True
        done = self._source.position
        share = f"{100 * done // self._total} % ({size(done)})" if self._total else size(done)
        width = shutil.get_terminal_size().columns - 1
        self._output.write("\r\x1b[K" + cut(f"{share} read of {visible(self._source.path)}", width))
        self._output.flush()
