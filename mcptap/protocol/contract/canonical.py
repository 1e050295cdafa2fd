"""One way to write a JSON value (RFC 8785), and hashes of what is so written.

By hand, since the library for it (`rfc8785`) refuses integers beyond 2^53 and lone surrogates, both of which
servers do list. Here such an integer is the double that other programs read it as, and a lone surrogate
its escape.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import orjson

_MOST_SAFE = 2**53
_BELOW, _ABOVE = -7, 21
"""Between these powers of ten a number is written without an exponent (ECMA-262, Number::toString)."""


def digest(domain: str, value: Any) -> str:
    """The hash of a value among those of its domain: equal values of two domains have different ones."""
    return "sha256-" + sha256(domain.encode() + b"\0" + canonical(value)).hexdigest()


def canonical(value: Any) -> bytes:
    """The value in canonical form. It nests no deeper than `jsontext.bounded` lets values nest."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return b"{%b}" % b",".join([_string(name) + b":" + canonical(value[name]) for name in names])
    if isinstance(value, list | tuple):
        return b"[%b]" % b",".join([canonical(item) for item in value])
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, bool) or value is None:
        return orjson.dumps(value)
    return _number(value)


def _string(text: str) -> bytes:
    try:
        return orjson.dumps(str(text))
    except TypeError:  # a lone surrogate
        return json.dumps(text, ensure_ascii=False).encode("utf-8", "backslashreplace")


def _number(value: int | float) -> bytes:
    if isinstance(value, int) and abs(value) <= _MOST_SAFE:
        return b"%d" % value
    try:
        number = float(value)
    except OverflowError:
        return b"%d" % value
    sign, digits, exponent = _digits(number)
    point = len(digits) + exponent
    """How many digits stand before the point."""
    if 0 < point <= _ABOVE:
        whole = digits[:point].ljust(point, "0")
        text = whole + (f".{digits[point:]}" if digits[point:] else "")
    elif _BELOW < point - 1 <= 0:
        text = "0." + "0" * -point + digits if digits != "0" else "0"
    else:
        behind = f".{digits[1:]}" if digits[1:] else ""
        text = f"{digits[0]}{behind}e{point - 1:+d}"
    return (sign + text).encode()


def _digits(number: float) -> tuple[str, str, int]:
    """Sign, the fewest digits that tell the number, and the power of ten that they count."""
    mantissa, _, exponent = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    power = int(exponent or 0) - len(fraction)
    shortest = digits.rstrip("0")
    sign = "-" if number < 0 else ""
    return sign, shortest or "0", power + len(digits) - len(shortest) if shortest else 0
