"""The one masker: texts, command lines, JSON values and bytes without their secrets."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from binascii import a2b_base64
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from typing import Any

from mcptap.jsontext.tree import dumps, parse_deep
from mcptap.masking.command_line import secret_places
from mcptap.masking.pieces import json_in
from mcptap.masking.quick import holds_nothing
from mcptap.masking.shapes import CUT, shapes_in
from mcptap.masking.signs import CLOSE, KEY_BYTES, OPEN, Signs
from mcptap.masking.texts import Span, find
from mcptap.masking.tree import Walk
from mcptap.masking.values import looks_random

_MOST_NESTED = 8
"""JSON in a text in JSON …: so deep it is taken apart; below that it is a text as any other."""
_WHOLE_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}(?:\s+[A-Za-z0-9+/_-]+={0,2})*\s*")
_MASK = re.compile(f"{OPEN}[0-9a-f]+{CLOSE}")
_WORD = re.compile(r"[^\s\"'`<>(){}\[\],;|&\\]{8,}")
_LEAST_QUOTED, _LEAST_CUT = 8, 4
_SWAPPED_QUOTES = str.maketrans("'\"", "\"'")
_BLANK_ESCAPE = re.compile(r"\\+[nrt]")
_INNER_SIGN = re.compile(r"[=:]")
_KEY_BEGINS = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?![\s\S]*-----END)")
_KEY_GOES_ON = re.compile(r"\s*(?:[A-Za-z0-9+/=]{1,80}|[A-Za-z-]{1,20}: .{0,80}|)\s*")


@cache
def _process_key() -> bytes:
    """A key for all that this process puts out, so that equal secrets look equal there; never written."""
    return os.urandom(KEY_BYTES)


class Masker:
    """Puts a mask in the place of each secret, the same for equal ones, and counts them by kind.

    The sign in it is a short hash under a key that nobody is told, so that no secret can be guessed from it.
    """

    def __init__(self, key: bytes = b"") -> None:
        self.masked: Counter[str] = Counter()
        self._signs = Signs(key or _process_key())
        self._learnt: list[str] = []
        self._learnt_masks: set[str] = set()
        self._in_key: set[str] = set()

    # --- what is masked ---------------------------------------------------------------------------

    def text(self, text: str) -> str:
        """A free text, or a piece of one that was cut; JSON in it may be cut as well."""
        return self._mixed(text, 0)

    def quotation(self, text: str) -> str:
        """A text that quotes what was masked before: a secret is known there although the quotation left out
        what told of it, or cut it off.
        """
        for secret, mask in self._signs.given.items():
            if len(secret) < _LEAST_QUOTED or not looks_random(secret):
                continue
            text = text.replace(secret, mask)
            cut = text.find(CUT)
            while cut >= 0:
                sizes = range(min(len(secret) - 1, cut), _LEAST_CUT - 1, -1)
                size = next((size for size in sizes if text.endswith(secret[:size], 0, cut)), 0)
                if size:
                    text = f"{text[: cut - size]}{mask}{text[cut:]}"
                    cut += len(mask) - size
                cut = text.find(CUT, cut + 1)
        text = self.text(text)
        # A sentence has JSON between double quotes, and the quotes in it single.
        swapped = text.translate(_SWAPPED_QUOTES)
        masked = self.text(swapped)
        return text if masked == swapped else masked.translate(_SWAPPED_QUOTES)

    def name(self, text: str) -> str:
        """A name of a method, a tool or a member: only what looks like a secret by itself is masked."""
        return self._shapes(text)

    def argv(self, argv: Sequence[str]) -> list[str]:
        """A command line, word by word."""
        spans: list[list[Span]] = [[] for _ in argv]
        for i, start, end in secret_places(argv):
            spans[i].append((start, end, "argument"))
        return [self._replaced(word, found) for word, found in zip(argv, spans, strict=True)]

    def learn(self, argv: Iterable[str]) -> None:
        """Mask the secrets of a command line in other texts too, wherever they stand; of those that are
        masked in it, what has the same mask.
        """
        argv = list(argv)
        self._learnt_masks.update(mask for word in argv for mask in _MASK.findall(word))
        for i, start, end in secret_places(argv):
            secret = argv[i][start:end]
            if looks_random(secret) and secret not in self._learnt and len(self._learnt) < 64:
                self._learnt.append(secret)

    def value(self, value: Any, name: str = "") -> Any:
        """A JSON value (of `jsontext.tree` or an ordinary one). `name`: of the member that it is of."""
        return self._value(value, name, 0)

    def data(self, data: bytes) -> bytes:
        """The bytes of a line; the same ones if nothing was masked."""
        return self._data(data, 0)

    def holds_nothing(self, data: bytes, channel: str = "") -> bool:
        """Whether the next line of a channel, as it stands in a record or on the wire, certainly has nothing
        to be masked; without a channel, the next lines. A quick look, which may say no for nothing.
        """
        in_key = channel in self._in_key if channel else bool(self._in_key)
        if in_key or not holds_nothing(data):
            return False
        if not (self._learnt or self._learnt_masks):
            return True
        text = data.decode(errors="replace")
        if any(secret in text for secret in self._learnt):
            return False
        spellings = (text, _unescaped(text)) if self._learnt_masks else ()
        return not any(any(True for _ in self._with_a_learnt_mask(spelled)) for spelled in spellings)

    def line(self, channel: str, data: bytes) -> bytes:
        """The bytes of the next line of a channel; a private key may stand in several."""
        text = data.decode(errors="replace")
        if channel in self._in_key:
            ends = "-----END" in text
            if ends or _KEY_GOES_ON.fullmatch(text) is None:
                self._in_key.discard(channel)
            if not ends and channel in self._in_key:
                return self._hide(text, "private key").encode() if text.strip() else data
        elif not data.startswith(b"{") and _KEY_BEGINS.search(text) is not None:
            self._in_key.add(channel)
        return self._data(data, 0)

    def words(self) -> str:
        """What was masked, for people; empty if nothing was."""
        return ", ".join(f"{kind} ×{number}" for kind, number in sorted(self.masked.items()))

    # --- how --------------------------------------------------------------------------------------

    def _value(self, value: Any, name: str, nested: int) -> Any:
        walk = Walk(
            hide=lambda secret, of: self._hide(secret, f'value of "{of[:60]}"'),
            text=partial(self._string, nested=nested),
            argv=self.argv,
            key=self._shapes,
            base64=partial(self._base64, nested=nested),
        )
        return walk.value(value, name)

    def _shapes(self, text: str) -> str:
        found = shapes_in(text)
        return self._replaced(text, sorted(found)) if found else text

    def _string(self, text: str, nested: int) -> str:
        """A string of JSON: it may be JSON itself, or base64."""
        bare = (text[:1].isspace() and text.lstrip()[:1]) or text[:1]
        if bare in ("{", "[") and nested < _MOST_NESTED and not text.startswith("[object"):
            try:
                value = parse_deep(text)
            except ValueError:
                pass
            else:
                before = self.masked.total()
                made = self._value(value, "", nested + 1)
                if self.masked.total() == before:
                    return text
                return dumps(made)
        if nested < _MOST_NESTED and len(text) >= 12 and _WHOLE_BASE64.fullmatch(text):
            made = self._base64("".join(text.split()), nested)
            if made != "".join(text.split()):
                return made
        return self._mixed(text, nested)

    def _mixed(self, text: str, nested: int) -> str:
        """A text that may hold JSON: what is around it is masked as text."""
        if nested >= _MOST_NESTED or '"' not in text:
            return self._replaced(text, find(text))
        pieces = []
        done = 0
        for start, end, value, closing in json_in(text):
            before = self.masked.total()
            made = self._value(value, "", nested + 1)
            if self.masked.total() == before:
                continue
            around = text[done:start]
            pieces += [self._replaced(around, find(around)), dumps(made)[: -len(closing) or None]]
            done = end
        rest = text[done:]
        return "".join(pieces) + self._replaced(rest, find(rest))

    def _base64(self, text: str, nested: int) -> str:
        """Base64 whose content has no secrets."""
        try:
            data = a2b_base64(
                text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), strict_mode=True
            )
        except ValueError:
            return self._replaced(text, find(text))
        made = self._data(data, nested + 1)
        return text if made == data else b64encode(made).decode()

    def _data(self, data: bytes, nested: int) -> bytes:
        if data[:1] in (b"{", b"[", b'"', b" ") and nested < _MOST_NESTED:
            try:
                value = parse_deep(data)
            except ValueError:
                pass
            else:
                before = self.masked.total()
                made = self._value(value, "", nested)
                return data if self.masked.total() == before else dumps(made).encode(errors="surrogatepass")
        encoding = _encoding(data)
        errors = "surrogateescape" if encoding == "utf-8" else "surrogatepass"
        end = len(data) if encoding == "utf-8" else len(data) // 2 * 2  # half a sign was cut off
        text = data[:end].decode(encoding, errors=errors)
        masked = self._mixed(text, nested)
        return data if masked == text else masked.encode(encoding, errors=errors) + data[end:]

    def _replaced(self, text: str, found: Sequence[Span]) -> str:
        for secret in self._learnt:
            if secret in text:
                found = [*found, *_places(text, secret)]
        if self._learnt_masks:
            found = [*found, *self._with_a_learnt_mask(text)]
        if not found:
            return text
        pieces = []
        done = 0
        for start, end, kind in sorted(found, key=lambda span: (span[0], -span[1])):
            if start < done:
                continue
            pieces += [text[done:start], self._hide(text[start:end], kind)]
            done = end
        return "".join(pieces) + text[done:]

    def _with_a_learnt_mask(self, text: str) -> Iterator[Span]:
        for match in _WORD.finditer(text):
            word, shift = match[0].rstrip(".,:!?"), match.start()
            for start in {0, *(sign.end() for sign in _INNER_SIGN.finditer(word))}:
                part = word[start:]
                if looks_random(part) and self._signs.of(part) in self._learnt_masks:
                    yield shift + start, shift + len(word), "argument"

    def _hide(self, secret: str, kind: str) -> str:
        self.masked[kind] += 1
        return self._signs.mask(secret)


def _unescaped(text: str) -> str:
    """With a space for each escape that stands for one: words begin behind it."""
    return _BLANK_ESCAPE.sub(" ", text)


def _places(text: str, secret: str) -> list[Span]:
    found = []
    at = text.find(secret)
    while at >= 0:
        found.append((at, at + len(secret), "argument"))
        at = text.find(secret, at + len(secret))
    return found


def _encoding(data: bytes) -> str:
    """UTF-8, or UTF-16 where every other byte is a zero."""
    if b"\0" in data and len(data) >= 8:
        if data.startswith(b"\xff\xfe") or data[1::2].count(0) * 2 > len(data) // 2:
            return "utf-16-le"
        if data.startswith(b"\xfe\xff") or data[0::2].count(0) * 2 > len(data) // 2:
            return "utf-16-be"
    return "utf-8"
