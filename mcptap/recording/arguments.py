"""Which words of a command line look like paths that depend on the working directory.

Imported where start-up counts: no `re`.
"""

from __future__ import annotations

_ENDINGS = frozenset(
    b"json jsonc json5 yaml yml toml ini env cfg conf config properties xml csv tsv txt md "
    b"py pyz js mjs cjs ts mts jsx tsx rb php pl lua sh bash ps1 bat cmd exe jar war dll wasm "
    b"db sqlite sqlite3 duckdb pem key crt log".split()
)
_LONGEST = 4096


def relative_path(word: bytes) -> bytes:
    """The relative path that a word is, or holds behind the `=` of an option; empty if it is none.

    `../settings.toml`, `server.py` and `--root=data/x` are; `@scope/package`, `https://…`, a variable
    that is left in and whatever begins with `/` or a drive are not.
    """
    path = word.partition(b"=")[2] if word.startswith(b"-") else word
    first = path[:1]
    if not path or len(path) > _LONGEST or first in b"-/~@$%\\" or path[1:2] == b":":
        return b""
    if b"://" in path or b"\n" in path or path in (b".", b".."):
        return b""
    stem, dot, ending = path.rpartition(b".")
    named = dot and stem and ending.lower() in _ENDINGS
    return path if named or b"/" in path or b"\\" in path else b""
