"""A recording without its secrets: the same format, record for record, marked as masked.

A record in which nothing was masked keeps its bytes. A secret may begin in one record and end in another
where a line came in parts: such a line is masked as a whole, and cut again where its parts were.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import BinaryIO

from mcptap import __version__
from mcptap.jsontext.tree import Number, Object, dumps, parse
from mcptap.masking.masker import Masker
from mcptap.masking.shapes import CUT
from mcptap.masking.signs import CLOSE
from mcptap.recording.format.content import NAMES, Codec
from mcptap.recording.format.decode import decode_record
from mcptap.recording.format.model import Header, Line, Part
from mcptap.recording.reader import MAX_RECORD
from mcptap.wire import cut_lines

_ANEW = frozenset({"at", "from", "diverted", "masked", *NAMES})
"""Fields of a line or part that are written anew when its content is another."""


_PLAIN = re.compile(
    rb'\{"n":\d{1,18},"k":"line","t":\d{1,18},"wall":\d{1,18},"ch":"([a-z2]{1,9})",'
    rb'(?:"t0":\d{1,18},)?(?:"eol":"[rn\\]{0,4}",)?"(?:msg|text)":'
).match
"""How the records of whole lines begin; what is behind may have secrets."""


BLOCK = 1 << 14
"""Bytes that are looked at together: in more there is mostly some word that needs a closer look."""
_SPELLED_HERE = re.compile(rb'\{"n":').match


class MaskedRecording:
    """The records of a recording, one after the other, masked. `file` is seekable, and read from its start.

    `wanted` are the numbers of the records that are kept, as a reader numbers lines; None: all are.
    """

    def __init__(self, file: BinaryIO, masker: Masker | None, wanted: Collection[int] | None = None) -> None:
        self._file = file
        self._masker = masker
        self._wanted = wanted
        self._line_of: dict[int, int] = {}
        """For records of a line in parts: the number of the line."""
        self._replaced: dict[int, bytes] = {}
        """Records of a line in parts, which were masked together, by number; unchanged ones as well."""
        self.records = 0
        """How many were given so far, the header left out."""
        self.changed = 0
        """How many of them are not as they were."""
        self.header = _next_line(file)
        self._position = len(self.header)
        """Where the next record begins."""
        if masker is not None:
            masker.learn(Header(json.loads(self.header)).argv)

    def records_masked(self) -> Iterator[bytes]:
        """All records behind the header, each with its newline; many at once where nothing is masked."""
        number = 1
        for block in _blocks(self._file):
            if self._wanted is None and (self._masker is None or self._is_plain(block)):
                count = block.count(b"\n") + (not block.endswith(b"\n"))
                number += count
                self.records += count
                self._position += len(block)
                yield block
                continue
            for raw in cut_lines(block):
                number += 1
                self._position += len(raw)
                made = self._masked(raw, number)
                if self._wanted is not None and self._line_of.pop(number, number) not in self._wanted:
                    continue
                self.records += 1
                self.changed += made != raw
                yield made

    def _is_plain(self, block: bytes) -> bool:
        """Whether a block certainly has nothing to be masked, and no line that stands in several records."""
        if self._replaced or b'"part"' in block or b'"from"' in block or not _SPELLED_HERE(block):
            return False
        return self._masker is None or self._masker.holds_nothing(block)

    def header_masked(self, more: dict[str, object]) -> bytes:
        """The header with what was done. Ask for it when the records were given."""
        masker = self._masker
        fields = parse(self.header)
        if masker is not None:
            fields = masker.value(fields)
        note = {
            "by": f"mcptap {__version__}",
            "records": self.records,
            "changed": self.changed,
            "masked": {} if masker is None else dict(sorted(masker.masked.items())),
            **more,
        }
        kept = [(name, value) for name, value in fields if name not in ("check", "export")]
        return with_note(kept, note)

    def _masked(self, raw: bytes, number: int) -> bytes:
        if self._masker is None and self._wanted is None:
            return raw
        if self._replaced and number in self._replaced:
            return self._replaced.pop(number)
        masker = self._masker
        found = None if masker is None else _PLAIN(raw)
        if masker is not None and found is not None:
            channel, rest = found[1].decode(), raw[found.end() :]
            if masker.holds_nothing(rest, channel):
                return raw
        end = b"\n" if raw.endswith(b"\n") else b""
        record = decode_record(raw, number)
        if isinstance(record, Part) or (isinstance(record, Line) and record.offset):
            self._take_parts(raw, record, number)
            return self._replaced.pop(number)
        if masker is None:
            return raw
        if isinstance(record, Line):
            made = masked_line(raw.rstrip(b"\n"), record, masker)
            return raw if made is None else made + end
        try:
            value = parse(raw)
        except ValueError:
            return masker.data(raw.rstrip(b"\n")) + end
        made = masker.value(value)
        return raw if made == value else dumps(made).encode(errors="surrogatepass") + end

    def _take_parts(self, raw: bytes, first: Part | Line, number: int) -> None:
        """Mask a line that stands in several records, from this one on, and keep what is to stand in each."""
        held: list[tuple[int, bytes, Part | Line]] = [(number, raw, first)]
        whole = None
        place = self._file.tell()
        self._file.seek(self._position)
        channel = first.channel.encode()
        at = number
        while isinstance(held[-1][2], Part) and (raw := _next_line(self._file)):
            at += 1
            if channel not in (raw[:200] if raw.startswith(b'{"n":') else raw):
                continue
            record = decode_record(raw, at)
            if not isinstance(record, Part | Line) or record.channel != first.channel:
                continue
            if isinstance(record, Part) and record.at == 0:
                break
            if isinstance(record, Line) and not record.offset:
                whole = record.data
                break
            held.append((at, raw, record))
        self._file.seek(place)
        if whole is None:
            self._line_of.update((at, held[-1][0]) for at, *_ in held)
        joined = b"".join(record.data for _, _, record in held)
        is_open = whole is None and isinstance(held[-1][2], Part)
        made = self._masked_whole(first.channel, whole if whole is not None else joined, is_open)
        if made is None:
            self._replaced.update((at, raw) for at, raw, _ in held)
            return
        self._replaced.update(_cut_again(held, made, len(joined if whole is None else whole)))

    def _masked_whole(self, channel: str, data: bytes, is_open: bool) -> bytes | None:
        """The line masked, None if nothing is. Of one that never ended a secret may be cut off."""
        if self._masker is None:
            return None
        cut = CUT.encode() if is_open and not data.endswith(CLOSE.encode()) else b""
        made = self._masker.line(channel, data + cut)
        return None if made == data + cut else made.removesuffix(cut) if cut else made


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    """The rest of a file in blocks of whole lines."""
    while block := file.read(BLOCK):
        yield block if block.endswith(b"\n") else block + _next_line(file)


def _next_line(file: BinaryIO) -> bytes:
    """The next line of a file. One that is too long for a record comes as an empty, hence damaged one."""
    raw = file.readline(MAX_RECORD + 1)
    if len(raw) <= MAX_RECORD or raw.endswith(b"\n"):
        return raw
    while raw and not raw.endswith(b"\n"):
        raw = file.readline(MAX_RECORD)
    return b"\n"


def _cut_again(
    held: list[tuple[int, bytes, Part | Line]], made: bytes, length: int
) -> Iterator[tuple[int, bytes]]:
    """The records of a line of so many bytes with its masked content, cut in the same proportions."""
    before = 0
    for number, raw, record in held:
        behind = before + len(record.data)
        start, end = (place * len(made) // max(1, length) for place in (before, behind))
        last = isinstance(record, Line)
        line_end = b"\n" if raw.endswith(b"\n") else b""
        yield number, _record(raw, record, made[start : None if last else end], at=start) + line_end
        before = behind


def masked_line(raw: bytes, record: Line, masker: Masker) -> bytes | None:
    """The record of a whole line, masked, what was diverted of it apart from the rest; None if nothing is."""
    cut = min(record.diverted or 0, len(record.data))
    before, behind = (
        masker.line(record.channel, piece) if piece else b""
        for piece in (record.data[:cut], record.data[cut:])
    )
    if before + behind == record.data:
        return None
    return _record(raw, record, before + behind, len(before))


def _record(raw: bytes, record: Line | Part, data: bytes, at: int = 0) -> bytes:
    """A record with another content. `at`: where a part begins in its line, or how much was diverted."""
    kept = Object((name, value) for name, value in parse(raw) if name not in _ANEW)
    codec = Codec()
    field = codec.plain_field(data)
    if isinstance(record, Part):
        kept.append(("at", Number(at)))
    else:
        if record.offset:
            kept.append(("from", Number(at)))
        else:
            field = codec.field(data, codec.parse(data))
        if record.diverted is not None:
            kept.append(("diverted", Number(at)))
    kept.append(("masked", True))
    return dumps(kept).encode()[:-1] + b"," + field + b"}"


def with_note(fields: list[tuple[str, object]], note: dict[str, object]) -> bytes:
    """A header of these fields that says what was done to the recording."""
    spelled = dumps(Object(fields))
    return f'{spelled[:-1]},"export":{json.dumps(note, ensure_ascii=False)}}}\n'.encode(
        errors="surrogatepass"
    )
