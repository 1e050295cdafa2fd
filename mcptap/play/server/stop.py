"""How a server is stopped, and how it ended."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field

from mcptap.clients.client import CLOSE, StopStep


def stop_sequence(grace_s: float, term_s: float = 2.0) -> tuple[StopStep, ...]:
    """End of input, up to `grace_s` for the server to finish, then TERM, then KILL."""
    return (StopStep(CLOSE, grace_s), StopStep("SIGTERM", term_s, group=True))


@dataclass(frozen=True, slots=True)
class Exit:
    """How a server ended: by itself with `code`, or by the signal named; what it left running."""

    code: int | None
    signal: str | None
    left: list[int] = field(default_factory=list)

    @property
    def status(self) -> int:
        """As a shell has it: the code, or 128 and the signal's number."""
        return self.code if self.code is not None else 128 + signal_number(self.signal or "")

    def __str__(self) -> str:
        return str(self.code) if self.signal is None else self.signal


def signal_name(number: int) -> str:
    """A signal's name; of one without a name, `SIG` and its number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"


def signal_number(name: str) -> int:
    """The number behind a name that `signal_name` gave; that of TERM where there is no such signal."""
    if name[3:].isdigit():
        return int(name[3:])
    return int(getattr(signal, name, signal.SIGTERM))
