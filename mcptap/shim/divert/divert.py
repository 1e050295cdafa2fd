"""What `--divert` adds to a session: a judge, a pump for stdout, and what writes to stderr."""

from __future__ import annotations

from mcptap.shim.divert.aside import Aside
from mcptap.shim.divert.judge import Judge
from mcptap.shim.divert.pump import DivertingPump

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mcptap.recording.writer import Observer, Recorder
    from mcptap.shim.notices import Notices
    from mcptap.shim.pumps import Pump


class Divert:
    """The parts that stand in between if lines are diverted to the descriptor `stderr`."""

    def __init__(self, stderr: int, notices: Notices) -> None:
        self.judge = Judge()
        self.aside = Aside(stderr, notices)

    def observer(self, other: Observer | None) -> Observer:
        """What looks at the client's lines: the judge, and another that would have."""

        def both(first: int, lines: bytes, values: list[Any]) -> None:
            self.judge.client_lines(first, lines, values)
            if other is not None:
                other(first, lines, values)

        return both

    def pump(
        self,
        source: int,
        sink: int,
        recorder: Recorder,
        observer: Observer | None,
        on_end: Callable[[Pump, bool], None],
        on_fault: Callable[[str, Exception], None],
    ) -> DivertingPump:
        """The pump for the server's stdout."""
        return DivertingPump(source, sink, recorder, observer, on_end, on_fault, self.judge, self.aside)
