"""Secrets that a recorded command line lacks: what they are called, and the command line with them again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from mcptap.diagnosis.explain.launchers import RUNNER_WORDS, RUNNERS, stem
from mcptap.errors import UserError
from mcptap.masking.argv import SCHEMES, SCRIPT_FLAGS
from mcptap.masking.command_line import secret_places
from mcptap.masking.names import secrecy
from mcptap.masking.signs import CLOSE, OPEN, Signs
from mcptap.masking.texts import decoded
from mcptap.recording.format.model import Header
from mcptap.recording.made_here import installation_key

PRIVATE = "MCPTAP_SECRET_"
"""Variables that begin so hand secrets from the screen to its child; the server does not get them."""

_MASK = re.compile(f"{OPEN}[0-9a-f]{{6,16}}{CLOSE}".encode())
_NAME_BEFORE = re.compile(
    rf"(-*[A-Za-z_$][\w.-]*)[\"'\]\\]*\s*[=:]\s*[\"'\[\\]*(?:(?i:{'|'.join(SCHEMES)})\s+)?$"
)
_VARIABLE_BEFORE = re.compile(r"([A-Za-z_]\w*)=[\"']?$")


@dataclass(frozen=True, slots=True)
class MaskedValue:
    """A secret that has to be given: its mask, and all that it is called; the position comes last."""

    mask: str
    names: tuple[str, ...]

    def is_called(self, name: str) -> bool:
        """Whether this is one of its names, with hyphens before it or without."""
        return any(name in (own, own.lstrip("-")) for own in self.names)

    @property
    def words(self) -> str:
        """What it is called, for people: `--token (word 3)`."""
        first, place = self.names[0], self.names[-1]
        return f"word {place}" if first == place else f"{first} (word {place})"


class Template:
    """A command line with masks: the recorded one, or one of the user's with masks of the recorded one."""

    def __init__(self, header: Header | None, command: Sequence[str]) -> None:
        """Raises UserError if a command of the user's has a mask that does not stand for anything known."""
        self._words = [_bytes(word) for word in (command or (header.argv if header is not None else []))]
        recorded = header.masked if header is not None else []
        self._places = recorded if not command else list(_masks_in(self._words))
        self.values: dict[str, str] = {}
        """Those that stand in the recording, by their masks."""
        if command and self._places:
            self.values = _exact(header)
            own = [_bytes(word) for word in header.argv] if header is not None else []
            known = {own[at][start:end].decode() for at, start, end in recorded} | set(self.values)
            unknown = next((mask for mask in self._masks() if mask not in known), None)
            if unknown is not None:
                raise UserError(
                    f"the command holds {unknown}, and the recording has no such masked value; "
                    "write the value itself"
                )

    def replace_words(self, words: Sequence[str]) -> None:
        """Take other words for those without masks, as of a file that lies elsewhere here."""
        masked = {at for at, _, _ in self._places}
        pairs = enumerate(zip(self._words, words, strict=True))
        self._words = [old if at in masked else _bytes(new) for at, (old, new) in pairs]

    def needed(self) -> list[MaskedValue]:
        """The values that have to be given, each once."""
        names: dict[str, list[str]] = {}
        in_word = Counter(at for at, _, _ in self._places)
        count: Counter[int] = Counter()
        for place, mask in zip(self._places, self._masks(), strict=True):
            at = place[0]
            count[at] += 1
            position = str(at) if in_word[at] == 1 else f"{at}.{count[at]}"
            if mask not in self.values:
                named = [*names.get(mask, []), *self._names(place), position]
                names[mask] = sorted(dict.fromkeys(named), key=lambda name: name[0].isdecimal())
        return [MaskedValue(mask, tuple(found)) for mask, found in names.items()]

    def filled(self, given: Mapping[str, str]) -> list[str]:
        """The command line with these values, by their masks; one that is not given keeps its mask."""
        words = list(self._words)
        values = {**self.values, **given}
        for (at, start, end), mask in reversed(list(zip(self._places, self._masks(), strict=True))):
            if mask in values:
                words[at] = words[at][:start] + _bytes(values[mask]) + words[at][end:]
        return [word.decode(errors="surrogateescape") for word in words]

    def _masks(self) -> list[str]:
        return [self._words[at][start:end].decode(errors="replace") for at, start, end in self._places]

    def _names(self, place: tuple[int, int, int]) -> list[str]:
        at, start, _ = place
        before = self._words[at][:start].decode(errors="replace")
        found = _NAME_BEFORE.search(before)
        names = [] if found is None else [found[1].removeprefix("$env:").strip("$")]
        if found is None and before.startswith("-"):
            names.append(before)  # -pMASK
        option = self._words[at - 1].decode(errors="replace") if at else ""
        if option.startswith("-") and "=" not in option and not before.startswith("-"):
            names.append(option)
        return [name for name in names if name]


def masked_for_question(argv: Sequence[str]) -> list[str]:
    """A command line from elsewhere, as the user is asked about it: masked is only what can be nothing but a
    secret. What could be a script, a path or encoded text, or sets a variable that is no secret by its name
    (`LD_PRELOAD`), could be the worst of it.
    """
    words = list(argv)
    places = secret_places(argv)
    signs = Signs(installation_key()) if places else Signs()
    for at, start, end in reversed(places):
        secret = words[at][start:end]
        is_program = start == 0 and (at == 0 or words[at - 1].lower() in SCRIPT_FLAGS)
        variable = _VARIABLE_BEFORE.search(words[at][:start])
        may_run = is_program or (start == 0 and _may_be_a_package(argv, at))
        may_run = may_run or (variable is not None and not secrecy(variable[1]))
        is_plain = all(sign.isalnum() or sign in "._~+=-" for sign in secret)
        if is_plain and not may_run and not decoded(secret):
            words[at] = words[at][:start] + signs.mask(secret) + words[at][end:]
    return words


_SWITCHES = frozenset(("-y", "--yes", "-q", "--quiet", "--silent", "--"))
"""Options of runners of packages that take no value."""


def _may_be_a_package(words: Sequence[str], at: int) -> bool:
    """Whether a runner of packages may run the word, and take the option before it for a switch.

    npx does so behind each option that it does not know.
    """
    runners = [place for place, word in enumerate(words[:at]) if stem(word) in RUNNERS]
    if not runners:
        return False
    before = [words[runners[-1]], *words[runners[-1] + 1 : at]]
    own = RUNNER_WORDS.get(stem(before[0]), ())
    return not any(
        not word.startswith("-")
        and word not in own
        and (previous in _SWITCHES or not previous.startswith("-"))
        for previous, word in pairwise(before)
    )


def _masks_in(words: Sequence[bytes]) -> list[tuple[int, int, int]]:
    return [(at, *found.span()) for at, word in enumerate(words) for found in _MASK.finditer(word)]


def _exact(header: Header | None) -> dict[str, str]:
    """The secrets that a header has as they are, by the masks under which they are shown."""
    if header is None:
        return {}
    signs, argv = Signs(installation_key()), header.argv
    secrets = [argv[at][start:end] for at, start, end in secret_places(argv)]
    return {signs.mask(secret): secret for secret in secrets}


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")
