"""Rows for filters, made by hand."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Record:
    """A row with these values."""

    channel: str = "c2s"
    kind: str = "request"
    method: str | None = None
    tool: str | None = None
    id: str | None = None
    status: str | None = None
    latency_us: int | None = None
    size: int = 0
    number: int = 2
    t_us: int = 0
    content: str = ""
    texts_read: int = 0

    def text(self) -> str:
        """The content; how often it was read is counted."""
        self.texts_read += 1
        return self.content


CALL = Record(
    method="tools/call",
    tool="read_file",
    id="7",
    status="answered",
    latency_us=1_500_000,
    size=120_000,
    number=17,
    t_us=2_000_000,
    content='{"name":"read_file","path":"/etc/Hosts (old)"}',
)
