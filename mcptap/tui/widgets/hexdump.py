"""Bytes as hex with characters beside it, and names for those that break a protocol unseen."""

from __future__ import annotations

from mcptap.tui.widgets.document import Line, Piece

NAMES = {0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x09: "TAB", 0x0D: "CR", 0x1B: "ESC", 0x7F: "DEL"}

_BOMS = (
    (b"\xef\xbb\xbf", "UTF-8 byte order mark"),
    (b"\xff\xfe", "UTF-16 (little endian) byte order mark"),
    (b"\xfe\xff", "UTF-16 (big endian) byte order mark"),
)


def bytes_in_row(columns: int) -> int:
    """How many bytes fit on a line of so many columns: 4, 8, 16, 24 or 32."""
    for each in (32, 24, 16, 8):
        if 10 + each * 4 + each // 8 + 1 <= columns:
            return each
    return 4


def dump_line(data: bytes, row: int, each: int) -> Line:
    """The row-th line of the dump, `each` bytes a line."""
    start = row * each
    pieces: list[Piece] = [(f"{start:08x}  ", "faint")]
    chunk = data[start : start + each]
    text: list[Piece] = []
    bom = 0
    if row == 0:
        bom = next((len(mark) for mark, _ in _BOMS if data.startswith(mark)), 0)
    for k in range(each):
        gap = " " if k % 8 == 7 and k + 1 < each else ""
        if k >= len(chunk):
            pieces.append(("   " + gap, "plain"))
            continue
        role = "pollution" if k < bom else _role(chunk[k])
        pieces.append((f"{chunk[k]:02x} {gap}", role))
        text.append((_character(chunk[k]), role))
    return Line([*_merged(pieces), (" ", "plain"), *_merged(text)])


def _role(byte: int) -> str:
    if byte == 0x0A:
        return "dim"
    if byte < 0x20 or byte == 0x7F:
        return "problem"
    return "stderr" if byte >= 0x80 else "plain"


def _character(byte: int) -> str:
    if byte < 0x20:
        return chr(0x2400 + byte)
    if byte == 0x7F:
        return "␡"
    return chr(byte) if byte < 0x80 else "·"


def _merged(pieces: list[Piece]) -> list[Piece]:
    """Neighbours of one role as one piece: fewer pieces draw faster."""
    merged: list[Piece] = []
    for text, role in pieces:
        if merged and merged[-1][1] == role:
            merged[-1] = (merged[-1][0] + text, role)
        else:
            merged.append((text, role))
    return merged


def remarks(data: bytes) -> list[str]:
    """What is unusual about the bytes, each as a short sentence."""
    said = [f"begins with a {name}" for mark, name in _BOMS if data.startswith(mark)]
    for byte, name in NAMES.items():
        number = data.count(byte)
        if number and byte != 0x09:
            said.append(f"{name} ×{number}, first at {data.index(byte)}")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        said.append(f"not UTF-8 at byte {error.start}")
    return said
