"""A configuration file read: its bytes, and the tree of its values in the client's syntax."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from mcptap.clients.configs.nodes import BOM, Document, UnreadableDocument, position
from mcptap.clients.configuration import Syntax
from mcptap.text.units import size

MOST_BYTES = 32 << 20
"""A larger file is no configuration."""
NOT_OPENED = "it can't be read"
"""How the sentence begins that says why the system gives no byte of a file."""
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def read_file(path: Path) -> bytes:
    """The bytes of a regular file. Raises UnreadableDocument; FileNotFoundError if there is none."""
    try:
        fd = os.open(path, _READ)
        with open(fd, "rb") as file:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise UnreadableDocument("it is no regular file")
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise UnreadableDocument(f"{NOT_OPENED}: {error.strerror or error}") from error
    if len(data) > MOST_BYTES:
        raise UnreadableDocument(f"it has more than {size(MOST_BYTES)}, too large for a configuration")
    return data


def read_document(data: bytes, syntax: Syntax) -> Document:
    """What a file holds. Raises UnreadableDocument.

    What JSON of a stricter client does not allow is read all the same, and told in `violations`.
    """
    _refuse_other_encodings(data)
    if syntax is Syntax.TOML:
        from mcptap.clients.configs.toml_nodes import read_toml

        return read_toml(data)
    if syntax is Syntax.YAML:
        from mcptap.clients.configs.yaml_nodes import read_yaml

        return read_yaml(data)
    from mcptap.clients.configs.json_nodes import read_json

    return read_json(data, syntax)


def _refuse_other_encodings(data: bytes) -> None:
    """Raise UnreadableDocument if a file is not UTF-8, with or without a byte order mark."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or (b"\0" in data[:4] and len(data) % 2 == 0):
        raise UnreadableDocument("it is UTF-16; save it as UTF-8")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise UnreadableDocument("it is not UTF-8 here", *position(data, error.start)) from None
    nul = data.find(b"\0")
    if nul >= 0:
        raise UnreadableDocument("it holds a NUL byte, which no configuration has", *position(data, nul))
    if data.count(BOM, 0, 6) > 1:
        raise UnreadableDocument("it begins with two byte order marks")
