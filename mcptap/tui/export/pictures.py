"""Pictures in messages: told by their first bytes, never by what a server calls them."""

from __future__ import annotations

import binascii
import os
import subprocess
import sys
import tempfile
import threading
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mcptap.jsontext.tree import Number

_SIGNS = ((b"\x89PNG\r\n\x1a\n", "png"), (b"\xff\xd8\xff", "jpeg"), (b"GIF87a", "gif"), (b"GIF89a", "gif"))


@dataclass(frozen=True, slots=True)
class Picture:
    """Data that a message holds as a picture or a blob."""

    data: bytes

    @property
    def kind(self) -> str:
        """`png`, `jpeg`, `gif` or `webp` by its bytes; empty: it is none of them, and is never opened."""
        data = self.data
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return "webp"
        return next((kind for sign, kind in _SIGNS if data.startswith(sign)), "")

    @property
    def suffix(self) -> str:
        """The ending of its file: ours, by its bytes."""
        return f".{self.kind}" if self.kind else ".bin"


def pictures_in(value: Any) -> Iterator[Picture]:
    """The pictures and blobs in a JSON value (of `jsontext.tree`), in order."""
    stack = [value]
    while stack:
        item = stack.pop()
        if not isinstance(item, list):
            continue
        pairs = [pair for pair in item if isinstance(pair, tuple)]
        named: dict[str, Any] = dict(pairs)
        held = named.get("data") if named.get("type") in ("image", "audio") else named.get("blob")
        if isinstance(held, str) and not isinstance(held, Number):
            try:
                yield Picture(b64decode(held, validate=True))
            except (binascii.Error, ValueError):
                pass
        stack += reversed([pair[1] for pair in pairs] or item)


def open_picture(picture: Picture, name: str) -> str:
    """Open a known picture under this name of ours in a private folder, with the desktop's program.

    Returns where it lies. Raises OSError.
    """
    if not picture.kind:
        raise OSError("it is no png, jpeg, gif or webp by its bytes, so it is not opened")
    path = os.path.join(tempfile.mkdtemp(prefix="mcptap-"), name + picture.suffix)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(picture.data)
    if sys.platform == "win32":
        os.startfile(path)
    else:
        program = subprocess.Popen(
            ["open" if sys.platform == "darwin" else "xdg-open", path],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        threading.Thread(target=program.wait, name="opened", daemon=True).start()
    return path
