"""The secrets of a command line, in one place for the tap, which records it, and for all that shows it.

Imported where start-up counts: what looks closer is imported only for words that may hold a secret.
"""

from __future__ import annotations

from mcptap.masking.hints import ROOTS, may_be_in_argv, may_be_in_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Place = tuple[int, int, int]
    """Index of the word; start and end in it, in characters."""


def secret_places(argv: Sequence[str]) -> list[Place]:
    """Where the secrets stand, in order, apart: by the names around them, or by their looks."""
    places: list[Place] = []
    if may_be_in_argv(argv):
        from mcptap.masking.argv import secret_spans

        places += secret_spans(argv)
    for at, word in enumerate(argv):
        places += [(at, start, end) for start, end in _places_in_word(word)]
    return _apart(places)


def _places_in_word(word: str) -> list[tuple[int, int]]:
    is_json = word.startswith(("{", "["))
    if not may_be_in_text(word) and not (is_json and any(root in word.lower() for root in ROOTS)):
        return []
    if is_json:
        from mcptap.masking.json_word import places_in_json

        places = places_in_json(word, secret_places)
        if places is not None:
            return places
    from mcptap.masking.texts import find

    return [(start, end) for start, end, _ in find(word, in_command=True)]


def _apart(places: list[Place]) -> list[Place]:
    """In order; of those that overlap one that covers them all."""
    apart: list[Place] = []
    for at, start, end in sorted(places):
        if apart and apart[-1][0] == at and start < apart[-1][2]:
            apart[-1] = (at, apart[-1][1], max(end, apart[-1][2]))
        elif start < end:
            apart.append((at, start, end))
    return apart
