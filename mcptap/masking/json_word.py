"""The places of secrets in a word of a command line that is JSON: settings, headers, another command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence

from mcptap.jsontext.scanner import spans
from mcptap.jsontext.tree import parse_deep
from mcptap.masking.texts import find
from mcptap.masking.tree import Walk

Places = Callable[[Sequence[str]], list[tuple[int, int, int]]]
"""Finds the secrets of a command line: index of the word; start and end in it."""

_LEAST_WITHIN = 4
"""A shorter secret is masked only where it is a whole string, not within others."""


def places_in_json(word: str, places: Places) -> list[tuple[int, int]] | None:
    """Start and end of each secret, with the same strings elsewhere in the word; None if it is no JSON."""
    try:
        value = parse_deep(word)
    except ValueError:
        return None
    secrets: dict[str, None] = {}

    def hide(secret: str, _name: str) -> str:
        secrets[secret] = None
        return secret

    def text(text: str) -> str:
        secrets.update((text[start:end], None) for start, end, _ in find(text, in_command=True))
        return text

    def argv(words: Sequence[str]) -> list[str]:
        secrets.update((words[at][start:end], None) for at, start, end in places(words))
        return list(words)

    Walk(hide=hide, text=text, argv=argv, key=text, base64=text).value(value)
    return list(_occurrences(word, secrets)) if secrets else []


def _occurrences(word: str, secrets: Collection[str]) -> Iterator[tuple[int, int]]:
    for span in spans(word):
        if isinstance(span.value, dict | list):
            continue
        spelled = word[span.start : span.end]
        is_text = isinstance(span.value, str)
        if (span.value if is_text else spelled) in secrets:
            yield span.start + is_text, span.end - is_text
            continue
        for secret in secrets:
            for form in {json.dumps(secret, ensure_ascii=ascii)[1:-1] for ascii in (True, False)}:
                at = spelled.find(form) if len(secret) >= _LEAST_WITHIN else -1
                while at >= 0:
                    yield span.start + at, span.start + at + len(form)
                    at = spelled.find(form, at + len(form))
