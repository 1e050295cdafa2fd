"""Recording a channel of which not all goes to its receiver: what came, and what of it went aside."""

from __future__ import annotations

from mcptap.recording.format import lines
from mcptap.recording.format.content import JSON_STARTS, MANY_BYTES, NOT_JSON
from mcptap.recording.writer import ChannelRecorder, split_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mcptap.recording.writer import Observer, Recorder

    Cut = Callable[[bytes, Any], tuple[int | None, Any]]


class DivertingRecorder(ChannelRecorder):
    """A channel recorder that asks of each line that has ended how much of its beginning goes aside.

    `cut(data, value)` says how many bytes (None: the line passes), and the value of what its receiver gets;
    `all_pass(values)` whether it would say None to each of these. `cuts` has what was said, line by line.
    """

    def __init__(
        self,
        recorder: Recorder,
        channel: str,
        cut: Cut,
        all_pass: Callable[[list[Any]], bool],
        observer: Observer | None = None,
    ) -> None:
        super().__init__(recorder, channel, observer)
        self._cut = cut
        self._all_pass = all_pass
        self.cuts: list[int | None] = []

    def _take_lines(self, whole: bytes, stamp: tuple[int, int]) -> None:
        codec, write = self._recorder.codec, self._recorder.write
        values: list[Any] = []
        many = codec.parse_all(whole) if b"\r" not in whole and len(whole) >= MANY_BYTES else None
        if many is not None and self._all_pass(many):
            values = many
            self.cuts += [None] * len(many)
            first = write(len(many), stamp, lines.encode_messages, self._template, whole, len(many))
        else:
            records = []
            for line in whole.split(b"\n"):
                data, eol = split_line(line, b"\n")
                value = codec.parse(data) if data[:1] in JSON_STARTS else NOT_JSON
                fate, delivered = self._fate(data, value)
                values.append(delivered)
                records.append((eol + fate, codec.field(data, value)))
            first = write(len(values), stamp, lines.encode_lines, self._name, records)
        if self._observer is not None:
            self._observer(first, whole, values)

    def _fate(self, data: bytes, value: Any) -> tuple[bytes, Any]:
        cut, delivered = self._cut(data, value)
        self.cuts.append(cut)
        return (b"" if cut is None else lines.DIVERTED % cut), delivered
