"""Where the secrets of a JSON value stand: by the names around them, by their looks. Nothing recurses."""

from __future__ import annotations

from binascii import a2b_base64
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mcptap.jsontext.tree import Number, Object
from mcptap.masking.argv import is_header_secret, scheme_length
from mcptap.masking.names import NEVER_MASKED, YES, secrecy, word_set, words_of
from mcptap.masking.values import is_date, looks_random, says_nothing

_SCHEMA_WORDS = word_set(
    "type description $ref anyOf oneOf allOf enum const default title format items properties not"
)
_SCHEMAS = word_set("properties patternProperties $defs definitions dependentSchemas")
_EXAMPLES = word_set("default const example examples")
"""Members of a schema that hold a value; all others describe it."""

_NAMING = ("name", "key", "Name", "Key", "variable", "header", "field", "param", "k")
_VALUES = ("value", "Value", "val", "content", "v")
_ABOUT = word_set(
    "type name id kind format description title url uri endpoint path file scheme method provider issuer "
    "label status state count limit size length at date time expires expiry scope scopes algorithm alg "
    "region username user email created updated enabled required version host port realm display"
)
"""Last words of members that tell about a secret beside it, and are none."""
_HEADERS = word_set(
    "host accept user-agent content-type content-length connection accept-encoding date server referer "
    "origin cache-control accept-language x-request-id"
)
_BESIDE_ID = frozenset(("jsonrpc", "method", "result", "error"))


class _Frame:
    """A container that is being rebuilt. `name` is the name of the secret that it belongs to, if it does."""

    __slots__ = ("is_message", "items", "kind", "made", "name", "schema", "source")

    def __init__(self, source: Any, name: str, schema: bool, kind: str) -> None:
        self.source = source
        self.name = name
        self.schema = schema
        self.kind = kind
        """The name under which it stands in its own container."""
        self.items = _items(source)
        self.made: list[Any] = []
        self.is_message = isinstance(source, dict | Object) and not _BESIDE_ID.isdisjoint(_names(source))


def _items(source: Any) -> Iterator[tuple[str | None, Any]]:
    """Name and value of each member; None and the value of each item of an array."""
    if isinstance(source, Object):
        return iter(source)
    if isinstance(source, dict):
        return iter(source.items())
    return ((None, item) for item in source)


class Walk:
    """Rebuilds a JSON value: the callables say what stands for a secret, for another text and so on.

    `hide(secret, its name)`, `text(text)`, `argv(command line)`, `key(a member's name)`, `base64(of b64)`.
    """

    def __init__(
        self,
        hide: Callable[[str, str], str],
        text: Callable[[str], str],
        argv: Callable[[Sequence[str]], list[str]],
        key: Callable[[str], str],
        base64: Callable[[str], str],
    ) -> None:
        self._hide, self._text, self._argv, self._key, self._base64 = hide, text, argv, key, base64

    def value(self, value: Any, name: str = "") -> Any:
        """The value without secrets; of the types that it had (`Object`, `Number` or ordinary ones)."""
        if not isinstance(value, dict | list):
            return self._scalar(value, name, "")
        stack = [self._enter(value, "", False, name)]
        while True:
            frame = stack[-1]
            for key, item in frame.items:
                own, secret, schema = self._about(frame, key, item)
                if isinstance(item, dict | list):
                    made = self._enter(item, secret, schema, own)
                    stack.append(made)
                    frame.made.append(key)
                    break
                frame.made += [key, self._leaf(frame, own, secret, item)]
            else:
                stack.pop()
                done = self._leave(frame)
                if not stack:
                    return done
                stack[-1].made.append(done)

    def _enter(self, value: Any, secret: str, schema: bool, own: str) -> _Frame:
        if isinstance(value, list) and not isinstance(value, Object):
            value = self._list(value, own)
        elif not schema:
            value = self._named(value)
        return _Frame(value, secret, schema, own)

    def _about(self, frame: _Frame, key: str | None, item: Any) -> tuple[str, str, bool]:
        """Name of an item, name of the secret that it belongs to, whether it is a schema."""
        if key is None:
            return frame.kind, frame.name, frame.schema
        if frame.schema:
            if frame.kind in _SCHEMAS:
                return key, "", True
            if key in _EXAMPLES:
                return key, frame.kind if secrecy(frame.kind) == YES else "", False
            return key, "", True
        if key in _SCHEMAS and _is_schema_map(item):
            return key, "", True
        if secrecy(key):
            return key, key, False
        if frame.name and (key in NEVER_MASKED or not _ABOUT.isdisjoint(words_of(key)[-1:])):
            return key, "", False  # it tells about the secret
        return key, frame.name, False

    def _leaf(self, frame: _Frame, own: str, secret: str, item: Any) -> Any:
        if own in NEVER_MASKED and frame.kind in ("params", "result", "_meta", "task", ""):
            return item
        if own == "id" and frame.is_message:
            return item
        if type(item) is str and (own == "description" or (frame.schema and own not in _EXAMPLES)):
            return self._key(item)
        if own == "b64" and type(item) is str and not secret:
            return self._base64(item)
        return self._scalar(item, secret, own)

    def _scalar(self, item: Any, secret: str, own: str) -> Any:
        if isinstance(item, bool) or item is None:
            return item
        if isinstance(item, Number) or not isinstance(item, str):
            digits = str(item)
            if secret and _is_numeric_secret(secret, digits):
                return self._hide(digits, secret)
            return item
        if not secret:
            return self._text(item)
        if own != secret and (is_date(item) or "://" in item):  # deep inside of what has a secret name
            return self._text(item)
        return self._named_text(secret, item)

    def _named_text(self, name: str, text: str) -> str:
        """A text whose name says that it is a secret."""
        if not is_header_secret(name, text):
            return self._text(text)
        start = scheme_length(text)
        return text if says_nothing(text[start:]) else text[:start] + self._hide(text[start:], name)

    def _leave(self, frame: _Frame) -> Any:
        keys, values = frame.made[0::2], frame.made[1::2]
        if isinstance(frame.source, Object):
            return Object((self._key(key), value) for key, value in zip(keys, values, strict=True))
        if isinstance(frame.source, dict):
            return {self._key(key): value for key, value in zip(keys, values, strict=True)}
        return values

    # --- secrets that the items beside them tell ------------------------------------------------

    def _named(self, value: Any) -> Any:
        """`{"name": "API_KEY", "value": S}`."""
        pairs = list(value) if isinstance(value, Object) else list(value.items())
        if len(pairs) > 12:
            return value
        name = next((item for key, item in pairs if key in _NAMING and type(item) is str), "")
        if not name or not secrecy(name):
            return value
        made = [(key, self._inherited(name, item) if key in _VALUES else item) for key, item in pairs]
        return Object(made) if isinstance(value, Object) else dict(made)

    def _inherited(self, name: str, item: Any) -> Any:
        if type(item) is str:
            return self._named_text(name, item)
        if isinstance(item, list) and not isinstance(item, Object):
            return [self._inherited(name, one) if type(one) is str else one for one in item]
        return item

    def _list(self, items: list[Any], own: str) -> list[Any]:
        """Command lines, headers as pairs or in turn."""
        words = [_word(item) for item in items]
        if not words or None in words:
            return self._pair(items) if len(items) == 2 else items
        texts: list[str] = [word for word in words if word is not None]
        made = list(items)
        if _is_raw_headers(texts, own):
            for i in range(0, len(texts) - 1, 2):
                if type(items[i + 1]) is str and secrecy(texts[i]):
                    made[i + 1] = self._named_text(texts[i], texts[i + 1])
            return made
        if own.lower() in _COMMANDS or any(text.startswith("-") for text in texts):
            masked = self._argv(texts)
            return [items[i] if masked[i] == texts[i] else masked[i] for i in range(len(items))]
        return self._pair(items) if len(items) == 2 else items

    def _pair(self, items: list[Any]) -> list[Any]:
        """`["Authorization", S]`: a header, or a setting whose value looks like a secret."""
        name, value = items
        if type(name) is not str or not secrecy(name):
            return items
        if type(value) is str and ("-" in name or looks_random(value) or scheme_length(value)):
            return [name, self._inherited(name, value)]
        return [name, self._inherited(name, value)] if isinstance(value, list) else items


_COMMANDS = frozenset(("argv", "args", "command", "cmd", "cmdline", "arguments", "commandline", "commands"))


def _get(source: Any, name: str) -> Any:
    if isinstance(source, Object):
        return next((item for key, item in source if key == name), None)
    return source.get(name) if isinstance(source, dict) else None


def _names(source: Any) -> list[str]:
    return [key for key, _ in source] if isinstance(source, Object) else list(source)


def _is_schema_map(value: Any) -> bool:
    """Whether all members are schemas: objects that have words of JSON Schema, or booleans."""
    if not isinstance(value, dict | Object):
        return False
    items = [item for _, item in value] if isinstance(value, Object) else list(value.values())
    return all(
        isinstance(item, bool)
        or (isinstance(item, dict | Object) and (not item or not _SCHEMA_WORDS.isdisjoint(_names(item))))
        for item in items
    )


def _word(item: Any) -> str | None:
    """A word of a command line, also one in base64, as a recording has what is no UTF-8."""
    if type(item) is str:
        return item
    encoded = _get(item, "b64") if isinstance(item, dict | Object) and len(item) == 1 else None
    if type(encoded) is not str:
        return None
    try:
        return a2b_base64(encoded, strict_mode=True).decode(errors="surrogateescape")
    except ValueError:
        return None


def _is_raw_headers(texts: Sequence[str], own: str) -> bool:
    if len(texts) < 2 or len(texts) % 2:
        return False
    return "header" in own.lower() or any(text.lower() in _HEADERS for text in texts[::2])


def _is_numeric_secret(name: str, digits: str) -> bool:
    """A number is a secret as a password, but as a token only if it is long; else it is a count."""
    if secrecy(name) != YES:
        return False
    last = words_of(name)[-1]
    least = 6 if last.startswith(("token", "cookie")) or last.endswith("s") else 1
    return len(digits.strip("-0.")) >= least
