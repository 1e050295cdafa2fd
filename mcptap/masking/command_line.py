"""The secrets of a command line, in one place for the tap, which records it, and for all that shows it.

Imported where start-up counts: what looks closer is imported only for words that may hold a secret.
"""

from __future__ import annotations

from mcptap.masking.hints import ROOTS, may_be_in_argv, may_be_in_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from mcptap.masking.signs import Signs

    Place = tuple[int, int, int]
    """Index of the word; start and end in it, in characters."""


_LEAST_WITHIN = 4
"""A shorter secret, known before, is masked only where it is a whole word."""


def secret_places(argv: Sequence[str]) -> list[Place]:
    """Where the secrets stand, in order, apart: by the names around them, or by their looks."""
    places: list[Place] = []
    if may_be_in_argv(argv):
        from mcptap.masking.argv import secret_spans

        places += secret_spans(argv)
    for at, word in enumerate(argv):
        places += [(at, start, end) for start, end in _places_in_word(word)]
    return _outside_masks(argv, _apart(places)) if places else []


class WordMasker:
    """Masks command lines and paths as the system has them, in bytes. `key` gives that of the masks, if it
    is needed; `secrets` are values that are secrets wherever they stand.
    """

    def __init__(self, key: Callable[[], bytes], secrets: Collection[str] = ()) -> None:
        self._key = key
        self._secrets = secrets
        self._signs: Signs | None = None
        self._found: list[str] = []

    def words(self, argv: Sequence[bytes]) -> tuple[list[bytes], list[Place]]:
        """The words with masks in them, and where these stand: index of the word, start and end in bytes."""
        texts = [word.decode(errors="surrogateescape") for word in argv]
        known = [(at, *place) for at, text in enumerate(texts) for place in self._known(text)]
        places = _apart([*secret_places(texts), *known])
        self._remember([texts[at][start:end] for at, start, end in places])
        return self._masked(argv, texts, places)

    def text(self, data: bytes) -> bytes:
        """A path, a line of a log, or another text that is no command line, with masks in it."""
        text = data.decode(errors="surrogateescape")
        places = [(0, start, end) for start, end in (*_places_in_word(text), *self._known(text))]
        return self._masked([data], [text], _apart(places))[0][0]

    def sentence(self, text: str) -> str:
        """What is told of the masked commands, without those of their secrets that look like ones."""
        for secret in self._found:
            for spelled in (secret, repr(secret)[1:-1]):
                text = text.replace(spelled, self._mask(secret))
            cut = next((size for size in range(len(secret) - 1, 3, -1) if f"{secret[:size]}…" in text), 0)
            if cut:
                text = text.replace(f"{secret[:cut]}…", f"{self._mask(secret)}…")
        return text

    def _remember(self, secrets: list[str]) -> None:
        if secrets:
            from mcptap.masking.values import looks_random

            self._found += [
                secret for secret in secrets if looks_random(secret) and secret not in self._found
            ]

    def _known(self, text: str) -> list[tuple[int, int]]:
        found = []
        for secret in self._secrets:
            if len(secret) < _LEAST_WITHIN:
                found += [(0, len(text))] if text == secret else []
                continue
            at = text.find(secret)
            while at >= 0:
                found.append((at, at + len(secret)))
                at = text.find(secret, at + len(secret))
        return found

    def _mask(self, secret: str) -> str:
        if self._signs is None:
            from mcptap.masking.signs import Signs

            self._signs = Signs(self._key())
        return self._signs.mask(secret)

    def _masked(
        self, words: Sequence[bytes], texts: list[str], places: list[Place]
    ) -> tuple[list[bytes], list[Place]]:
        masked = list(words)
        made: list[Place] = []
        for at in sorted({at for at, _, _ in places}):
            done, word = 0, b""
            for _, start, end in (place for place in places if place[0] == at):
                word += texts[at][done:start].encode(errors="surrogateescape")
                mask = self._mask(texts[at][start:end]).encode()
                made.append((at, len(word), len(word) + len(mask)))
                word += mask
                done = end
            masked[at] = word + texts[at][done:].encode(errors="surrogateescape")
        return masked, made


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


def _outside_masks(argv: Sequence[str], places: list[Place]) -> list[Place]:
    """The same without what was masked before, and without what is only punctuation around it."""
    from mcptap.masking.signs import CLOSE, OPEN

    found: list[Place] = []
    for at, start, end in places:
        word = argv[at]
        if OPEN not in word:
            found.append((at, start, end))
            continue
        done, mask = start, word.find(OPEN)
        while mask >= 0:
            closed = word.find(CLOSE, mask) + 1 or len(word)
            if closed > done and mask < end:
                found.append((at, done, mask))
                done = closed
            mask = word.find(OPEN, closed)
        found.append((at, done, end))
    return [
        (at, start, end)
        for at, start, end in found
        if OPEN not in argv[at] or any(map(str.isalnum, argv[at][start:end]))
    ]


def _apart(places: list[Place]) -> list[Place]:
    """In order; of those that overlap one that covers them all."""
    apart: list[Place] = []
    for at, start, end in sorted(places):
        if apart and apart[-1][0] == at and start < apart[-1][2]:
            apart[-1] = (at, apart[-1][1], max(end, apart[-1][2]))
        elif start < end:
            apart.append((at, start, end))
    return apart
