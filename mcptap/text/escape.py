"""Strangers' text made safe for a terminal and readable: the one table of what is written out.

Recorded text comes from strangers. Nothing of it reaches a terminal before `visible`.

| characters | shown as |
| --- | --- |
| C0 controls, with TAB, LF, CR, ESC | their picture: `␀ ␉ ␊ ␍ ␛` |
| DEL | `␡` |
| C1 controls (U+0080-9F) | `<U+009B>` |
| bidirectional controls (U+061C, 200E-F, 202A-E, 2066-9) | `<U+202E>` |
| zero-width and format characters, line and paragraph separators | `<U+200B>` |
| tags and supplementary variation selectors (U+E0000-E0FFF), U+FE00-FE0D | `<U+E0041>` |
| ZWJ (U+200D) between two emoji | itself; elsewhere `<U+200D>` |
| ZWNJ (U+200C) between two letters of U+0600-1FFF (Persian, Indic scripts) | itself; else `<U+200C>` |
| U+FE0E and U+FE0F behind a symbol or a keycap's digit | themselves; elsewhere `<U+FE0F>` |
| lone surrogates | `<U+D800>` |
| bytes that are no UTF-8 (`decoded`) | `\\xff` |

Everything else stays as it is. The shim imports this at its start: no `re`, `typing`, `unicodedata`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

EMOJI_JOINERS = "\u200d\ufe0e\ufe0f"
"""What may stand inside an emoji of several characters. Terminals disagree about its width."""

_JOINERS = "\u200c" + EMOJI_JOINERS

_PICTURES = 0x2400
"""Unicode has a picture for each control character of ASCII: ␀ ␉ ␍ ␛ …"""

_DELETE = 0x7F

_UNSEEN = (
    (0x80, 0x9F),  # C1 controls
    (0xAD, 0xAD),  # soft hyphen
    (0x61C, 0x61C),  # Arabic letter mark
    (0x180E, 0x180E),  # Mongolian vowel separator
    (0x200B, 0x200F),  # zero-width characters and direction marks
    (0x2028, 0x202E),  # line and paragraph separators, embeddings and overrides of direction
    (0x2060, 0x206F),  # word joiner, invisible operators, isolates of direction
    (0xD800, 0xDFFF),  # surrogates: no characters at all
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),  # byte-order mark, zero-width no-break space
    (0xFFF9, 0xFFFB),  # interlinear annotation
    (0x1BCA0, 0x1BCA3),  # shorthand format controls
    (0x1D173, 0x1D17A),  # musical format controls
    (0xE0000, 0xE0FFF),  # tags and variation selectors, in which text can be hidden
)
_SYMBOLS = (
    (0xA9, 0xA9),
    (0xAE, 0xAE),
    (0x203C, 0x2BFF),
    (0x3030, 0x303D),
    (0x3297, 0x3299),
    (0x1F000, 0x1FAFF),
)
_KEYCAPS = "0123456789#*"


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)


class _Table(dict[int, "str | int"]):
    """For `str.translate`: what stands for each code point, worked out when it is first met."""

    def __init__(self, spell: Callable[[int], str], known: dict[int, str]) -> None:
        super().__init__(known)
        self._spell = spell

    def __missing__(self, code: int) -> str | int:
        sign = self._spell(code) if _within(code, _UNSEEN) else code
        if code < 0x10000:
            self[code] = sign
        return sign


def _json_escape(code: int) -> str:
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


_SIGNS = _Table("<U+{:04X}>".format, {**{code: chr(_PICTURES + code) for code in range(0x20)}, _DELETE: "␡"})
_JSON_ESCAPES = _Table(_json_escape, {_DELETE: _json_escape(_DELETE)})


def visible(text: str) -> str:
    """The text with all that a terminal would obey, hide or turn round written out (see the table).

    Its width is what `columns.text_width` says. Made visible again, it stays the same.
    """
    if text.isascii() and text.isprintable():
        return text
    return _written_out(text, _SIGNS)


def visible_json(text: str) -> str:
    r"""A valid JSON text with the same characters as escapes (`\u202e`): its value stays the same.

    Line breaks and spaces between values stay as they are.
    """
    return _written_out(text, _JSON_ESCAPES)


def _written_out(text: str, table: _Table) -> str:
    if not any(joiner in text for joiner in _JOINERS):
        return text.translate(table)
    pieces = []
    done, kept = 0, -1
    for at in [at for at, character in enumerate(text) if character in _JOINERS]:
        pieces.append(text[done:at].translate(table))
        if _joins(text, at, kept == at - 1):
            pieces.append(text[at])
            kept = at
        else:
            pieces.append(text[at].translate(table))
        done = at + 1
    pieces.append(text[done:].translate(table))
    return "".join(pieces)


def _joins(text: str, at: int, behind_kept: bool) -> bool:
    """Whether the joiner there does its proper work; `behind_kept`: so did the character before it."""
    if at == 0:
        return False
    before, joiner, after = text[at - 1], text[at], text[at + 1 : at + 2]
    behind_symbol = _within(ord(before), _SYMBOLS)
    if joiner == "\u200d":
        behind_selector = behind_kept and before in "\ufe0e\ufe0f"
        return (behind_symbol or behind_selector) and bool(after) and _within(ord(after), _SYMBOLS)
    if joiner == "\u200c":
        return "\u0600" <= before < "\u2000" and "\u0600" <= after < "\u2000" and before != "\u180e" != after
    return behind_symbol or before in _KEYCAPS


def decoded(data: bytes) -> str:
    r"""Bytes as visible text, those that are no UTF-8 as `\xff`."""
    return visible(data.decode(errors="backslashreplace"))


def excerpt(text: str | bytes, limit: int) -> str:
    """The visible beginning of a text, or of bytes: at most so many characters, and `…` if there was more."""
    if isinstance(text, bytes):
        text = text[: limit * 4 + 4].decode(errors="backslashreplace")
    shown = visible(text[: limit + 1])
    return shown if len(shown) <= limit else shown[:limit].rstrip() + "…"
