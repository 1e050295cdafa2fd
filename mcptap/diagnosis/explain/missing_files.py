"""Which files a text says are not there: those that it names as missing, not all that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MISSING = (
    r"no such file or directory|ENOENT|FileNotFoundError"
    r"|(?:cannot|could not|can't|unable to) (?:find|open|read|access|load|stat)"
    r"(?: (?:the|input|script|config|configuration|settings|module|jarfile|file|path|directory|folder))*"
    r"|(?:file|path|directory|folder|script|module|config\w*|settings) (?:was )?not found"
    r"|no such (?:file|module)"
)
_QUOTED_BEHIND = re.compile(rf"(?:{_MISSING})[^'\"`]{{0,60}}['\"`]([^'\"`]{{1,300}})['\"`]", re.I)
_BARE_BEHIND = re.compile(rf"(?:{_MISSING}):? (?:at |in )?([^\s'\"`,;]*[./\\][^\s'\"`,;]*)", re.I)
_BEFORE = re.compile(
    r"['\"`]?([^\s'\"`:,;(]*[./\\][^\s'\"`:,;]*)['\"`]?(?:: | |\) )"
    r"(?:(?:does not|doesn't) exist|not found|is missing|no such file|cannot be found)",
    re.I,
)
_ANY = re.compile(_MISSING + r"|cannot find the (?:file|path)", re.I)


def tells_of_missing(text: str) -> bool:
    """Whether the text says that some file is not there."""
    return _ANY.search(text) is not None


def missing_files(lines: Sequence[str]) -> list[str]:
    """The paths that these lines name as missing, each once."""
    found: dict[str, None] = {}
    for line in lines:
        for pattern in (_QUOTED_BEHIND, _BARE_BEHIND, _BEFORE):
            for path in pattern.findall(line):
                plain = path.removeprefix("file://").rstrip(".,;:)")
                if plain:
                    found[plain] = None
    return list(found)
