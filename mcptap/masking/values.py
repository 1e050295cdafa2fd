"""Which values are no secrets, whatever they are called: what nobody filled in, and words about secrets."""

from __future__ import annotations

from mcptap.masking.hints import HARMLESS
from mcptap.masking.names import PERHAPS, YES, secrecy, word_set
from mcptap.masking.signs import CLOSE, OPEN

_TELLING = word_set(
    "true false yes no on off none null nil undefined required optional missing invalid expired revoked "
    "unset empty string str bytes number boolean object any redacted masked hidden removed"
)
"""Words about a secret in place of one."""


def is_placeholder(value: str) -> bool:
    """Whether it is a variable nobody filled in: `${X}`, `${env:X}`, `$X`, `${{ secrets.X }}`, `%TOKEN%`.

    A default (`${X:-abc}`) may be a secret, and `%X%` as well: between percent signs has to stand the
    name of a secret, in capitals, or of a variable that everybody has.
    """
    if len(value) > 2 and value[0] == value[-1] == "%":
        return is_variable_of_windows(value[1:-1])
    if value.startswith("${") and value.endswith("}"):
        inner = value[2:-1].strip("{ }")
        return "{" not in inner and "}" not in inner and ":-" not in inner and _is_name(inner)
    return value.startswith("$") and value.isupper() and _is_name(value[1:]) and "-" not in value


def is_variable_of_windows(name: str) -> bool:
    """Whether `%name%` stands for a variable, and is no password by chance."""
    is_plain = name.isupper() and name.replace("_", "A").isalpha()
    return name in HARMLESS or (is_plain and secrecy(name) == YES)


def _is_name(text: str) -> bool:
    plain = text
    for sign in ":._-":
        plain = plain.replace(sign, "a")
    return plain.isidentifier() and not text[0].isdecimal()


def is_mask(value: str) -> bool:
    """Whether it was masked already."""
    inner = value[len(OPEN) : -1]
    return value.startswith(OPEN) and value.endswith(CLOSE) and inner.isalnum() and len(inner) <= 16


def unsigned(text: str) -> str:
    """The text with the same mask for all secrets, so that it stays the same from one output to the next."""
    first, *others = text.split(OPEN)
    return first + "".join(f"{OPEN[:-1]}{CLOSE}{other.partition(CLOSE)[2]}" for other in others)


def says_nothing(value: str) -> bool:
    """Whether it can be no secret: empty, a placeholder, stars, a word about a secret, masked already."""
    bare = value.strip()
    if not bare or is_placeholder(bare) or is_mask(bare):
        return True
    if not bare.strip("*•….:-[]<>_()") or (len(bare) > 2 and not bare.strip("xX")):
        return True
    return bare.strip("[]<>*().").lower() in _TELLING


def is_path(value: str) -> bool:
    """Whether it looks like the path of a file or folder."""
    if value.startswith(("~/", "./", "../", "\\\\", "file:")) or value[1:3] in (":\\", ":/"):
        return True
    return value.startswith("/") and value.count("/") >= (1 if len(value) < 12 else 2) and "=" not in value


def looks_random(value: str) -> bool:
    """Whether it looks made by a machine: no spaces, letters with digits, or mixed at length."""
    if len(value) < 8 or any(sign.isspace() for sign in value) or "://" in value:
        return False
    letters = any(sign.isalpha() for sign in value)
    digits = any(sign.isdecimal() for sign in value)
    if letters and digits:
        return True
    mixed = not value.islower() and not value.isupper() and value.isalnum()
    return letters and mixed and len(value) >= 20


def is_date(value: str) -> bool:
    """Whether it begins like a date or a time of day (RFC 3339)."""
    head = value[:10]
    return len(head) == 10 and head[4] == head[7] == "-" and head.replace("-", "").isdecimal()


def is_secret(name: str, value: str) -> bool:
    """Whether a text is a secret because of its name."""
    sure = secrecy(name)
    if not sure or says_nothing(value):
        return False
    if sure == PERHAPS:
        return looks_random(value) and not is_path(value) and not is_date(value)
    if name.lower().endswith("pwd") and is_path(value):
        return False
    return sure == YES
