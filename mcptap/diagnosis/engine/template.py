"""Sentences with places for values."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter

from mcptap.text.sentences import capital

Value = str | int
MISSING = "(unknown)"
"""What is said in place of a value that a rule forgot to give."""


class Template:
    """The text of a sentence, or of a part of one, parsed once.

    `{name}` stands for a value that has to be given, `{name?}` for one that may be absent. `{Name}`
    stands for the value `name` at the beginning of a sentence, where it gets a capital.
    Raises ValueError if the text cannot be parsed.
    """

    __slots__ = ("_pieces", "optional", "required", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._pieces: list[tuple[str, str, bool]] = []
        required: set[str] = set()
        optional: set[str] = set()
        for literal, field, specification, conversion in Formatter().parse(text):
            name = field or ""
            key = name.removesuffix("?").lower()
            if specification or conversion or (field is not None and not key.isidentifier()):
                raise ValueError(f"{text!r}: cannot understand the place {{{name}}}")
            if key:
                (optional if name.endswith("?") else required).add(key)
            self._pieces.append((literal, key, name[:1].isupper()))
        self.required = frozenset(required)
        self.optional = frozenset(optional)

    def fill(self, values: Mapping[str, Value], *, within: bool = False) -> str:
        """The text with its values. `within` another sentence it does not begin with a capital."""
        parts: list[str] = []
        for literal, key, _ in self._pieces:
            parts.append(literal)
            if key:
                default = "" if key in self.optional else MISSING
                parts.append(str(values.get(key, default)))
        text = "".join(parts)
        if not self._pieces:
            return text
        literal, _, begins = self._pieces[0]
        if within:
            return text[:1].lower() + text[1:] if literal else text
        return capital(text) if begins and not literal else text

    def shown(self) -> str:
        """The text with `<name>` for each value that has to be given, for a list of rules."""
        return "".join(
            literal + (f"<{key}>" if key and key not in self.optional else "")
            for literal, key, _ in self._pieces
        )
