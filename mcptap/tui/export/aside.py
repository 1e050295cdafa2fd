"""Long lines made fit to be copied or exported in a process of their own: masking takes seconds for each
megabyte, in which the screen would stand still."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from mcptap.jsontext.tree import Number, Object, dumps, parse
from mcptap.masking.masker import Masker
from mcptap.text.escape import visible_json
from mcptap.tui.widgets.text import visible_bytes

LONG = 1 << 17
"""From so many bytes on a line is masked aside."""

TEXT, MESSAGE, LINE = "text", "message", "line"
"""What is made of a line: the text of an answer, the whole message, indented, or its bytes as they are."""


def made_of(kind: str, data: bytes, masker: Masker) -> str:
    """What is to be copied of the bytes of a line, masked."""
    if kind == TEXT:
        try:
            return masker.text(content_text(parse(data)))
        except ValueError:
            return ""
    data = masker.data(data)
    try:
        return visible_json(dumps(parse(data), 2))
    except ValueError:
        return visible_bytes(data)


def content_text(value: Any) -> str:
    """The texts of a result's content, of its resources, messages or of an error; empty if it has none."""
    return "\n".join(_texts(value))


def _texts(value: Any) -> Iterator[str]:
    fields = _fields(value)
    result, error = _fields(fields.get("result")), _fields(fields.get("error"))
    if isinstance(error.get("message"), str):
        yield error["message"]
    for name in ("content", "contents", "messages"):
        items = result.get(name)
        for item in items if isinstance(items, list) and not isinstance(items, Object) else ():
            inner = _fields(item)
            for each in (inner, _fields(inner.get("resource")), _fields(inner.get("content"))):
                text = each.get("text")
                if isinstance(text, str) and not isinstance(text, Number):
                    yield text


def _fields(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, Object) else {}


class MaskerAside(Masker):
    """Masks as the masker that it is made of, long lines in a process of its own; for a thread."""

    def __init__(self, masker: Masker) -> None:
        self.__dict__.update(vars(masker))

    def line(self, channel: str, data: bytes) -> bytes:
        """The bytes of the next line of a channel, masked. Raises OSError if the process fails."""
        if len(data) < LONG:
            return super().line(channel, data)
        masked, state = pickle.loads(_done_aside((LINE, (channel, data), vars(self))))
        self.__dict__.update(state)
        return bytes(masked)


def made_aside(kind: str, lines: list[bytes], argv: list[str]) -> str:
    """The same of these lines, one below the other, by a process of its own. Raises OSError."""
    return _done_aside((kind, lines, argv)).decode(errors="surrogatepass")


def _done_aside(task: tuple[str, object, object]) -> bytes:
    """What the process answers. Raises OSError."""
    import mcptap

    own = os.path.dirname(os.path.dirname(os.path.abspath(mcptap.__file__)))
    path = os.pathsep.join(filter(None, (own, os.environ.get("PYTHONPATH", ""))))
    done = subprocess.run(
        [sys.executable, "-P", "-m", "mcptap.tui.export.aside"],
        input=pickle.dumps(task),
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C in the terminal is the screen's to handle
        check=False,
    )
    if done.returncode:
        raise OSError("the process that masks it failed")
    return done.stdout


def main() -> None:
    """Read what is to be done from stdin, and write what comes of it."""
    from mcptap.recording import made_here

    kind, lines, known = pickle.load(sys.stdin.buffer)
    masker = made_here.masker()
    if kind == LINE:
        vars(masker).update(known)
        masked = masker.line(*lines)
        sys.stdout.buffer.write(pickle.dumps((masked, vars(masker))))
        return
    masker.learn(known)
    text = "\n".join(made_of(kind, line, masker) for line in lines)
    sys.stdout.buffer.write(text.encode(errors="surrogatepass"))


if __name__ == "__main__":
    main()
