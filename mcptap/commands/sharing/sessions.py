"""Which sessions a user means by files, folders, `latest` and names of servers."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase

from mcptap.captures.channels import named_channels
from mcptap.captures.open import STDIN, SUFFIXES
from mcptap.captures.sections import selected
from mcptap.commands.output import tell
from mcptap.errors import UserError
from mcptap.recording.library import find, header_of, is_reference, search
from mcptap.recording.paths import SUFFIX


def sessions_meant(targets: list[str]) -> Iterator[tuple[str, bool]]:
    """The path of each, and whether it was named itself rather than found in a folder. Raises UserError."""
    for target in targets:
        if target != STDIN and os.path.isdir(target):
            found = search([target], SUFFIXES)
            if found.ignored:
                tell(found.ignored_words())
            yield from ((path, False) for path in sorted(found.paths))
        elif target == STDIN or is_reference(target) or _is_there(target):
            yield find(target, tell), True
        else:
            yield _newest_called(target), True


def _is_there(target: str) -> bool:
    return os.path.lexists(selected(target)[0]) or bool(named_channels(target))


def _newest_called(name: str) -> str:
    """The newest session of a server of this name, or of those that a pattern fits."""
    if "/" not in name and not name.endswith(SUFFIX):
        for path in search().paths:
            header = header_of(path)
            if header is not None and not header.probe and fnmatchcase(header.name.lower(), name.lower()):
                return path
    raise UserError(
        f"there is no file {name}, and no recording of a server of that name; mcptap ls lists them"
    )


@contextmanager
def on_disk(path: str) -> Iterator[str]:
    """A path that can be read twice: of standard input that of a copy."""
    if path != STDIN or sys.stdin is None:
        yield path
        return
    with tempfile.NamedTemporaryFile(prefix="mcptap-", suffix=SUFFIX) as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
        file.flush()
        yield file.name
