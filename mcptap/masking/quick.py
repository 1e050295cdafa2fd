"""Whether bytes certainly hold nothing to be masked: a quick look that spares nearly all the slow one.

It looks at the bytes as they stand in a record or on the wire, escapes and all, and errs on one side only:
where it says that there is nothing, the masker changes nothing, whether it takes them for JSON, for text, for
JSON within a text, or for a string in any of these. So it knows the signs of a secret and no exceptions: the
root of a secret's name where names stand, the beginning of a known shape, a command line, something encoded.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from collections.abc import Iterable

from mcptap.masking.hints import BEGINNINGS, ROOTS
from mcptap.masking.shapes import shapes_in
from mcptap.masking.texts import decoded

_ROOTS = tuple(root.encode() for root in ROOTS)
_BEGINNINGS = tuple(beginning.encode() for beginning in BEGINNINGS)
_FOLDED = ("␛".encode(), "\u212a".encode(), "\u017f".encode(), "\u0130".encode())
"""The picture of ESC, and letters that are letters of ASCII in the other case."""

_ESCAPE = re.compile(rb'\\[^nrt"\\]|%[0-9a-fA-F]{2}')
"""An escape that may stand for any sign, or percent-encoding."""
_ESCAPE_OF_A_SIGN = re.compile(rb"\\[ux0/]|%[0-9a-fA-F]{2}|\x1b\[")
"""One that may stand for a letter or slash, or begin a colour: few of them are in bytes that are no text."""
_SPACE = rb"(?:[\s\x80-\xff\\]|(?<=\\)[nrt])*"
_OPTION = re.compile(rb'[\[,]%b"-' % _SPACE)
_COMMANDS = tuple(
    (root, re.compile(rb'%b(?:%b)\\*"%b:%b\[' % (root, ends, _SPACE, _SPACE)))
    for root, ends in ((b"arg", b"v|s|uments"), (b"command", b"line|s|"), (b"cmd", b"line|"))
)
_SCHEME = re.compile(rb"(?:basic|bearer)[ \t+%\\]")
_CLIENT = re.compile(rb"curl|wget|httpie|xh")

_REACH = 400
"""Bytes before the root of a name that are looked at; of a name the masker looks at 200 characters."""
_NAME = rb"[\w.%\-\[\]$\x80-\xff]"
_NEVER = b'"progresstoken":'
_ROOT_IN_STRING = {root: re.compile(rb'%b[^"]*+((?:"\\*){1,3}%b:)?' % (root, _SPACE)) for root in _ROOTS}
"""The first in a string; the group is there if the string is the name of a member."""
_NOT_IN_PROSE = {
    root: re.compile(
        rb"%b(?!(?<=[a-z,.] %b)[a-z]*+ (?!(?:is|was|of|for|user|provided|given|value|set|to)\b)[a-z]++ [a-z])"
        % (root, root)
    )
    for root in _ROOTS
}
"""But for a word with two signs before it and two words behind it: that is no name of anything."""
_BEHIND = re.compile(rb"%b*+(?: %b*+)?\\*+[\"'`]?\]?(?:[ \t]|\\+t){0,8}[:=]" % (_NAME, _NAME))
"""From a root on: the rest of a name, and its sign."""
_TOLD = re.compile(
    rb"(?:key|token|password|passwd|passphrase|passcode|secret)"
    rb"(?:[ ](?:is|was|of|for|user|provided|given|value|set|to)\b){0,3}[ ]{0,4}(?:->|[:=.>(])?[ ]?\\*[\"'`(]?"
    rb"([a-z0-9][\w.+/=~\x80-\xff-]{4,})"
)
_NAMING = re.compile(rb"(?:name|key|variable|header|field|param|\bk)[\"'\s]*[:=][\s\"']*\Z")
_TEXT = b'"text":'
"""Before most of the long strings; names nothing."""
_HEAD = 40
"""Bytes before a string or a word that are looked at for what names it."""
_WORD = bytes(range(128, 256)) + b"abcdefghijklmnopqrstuvwxyz0123456789_.-"

_IN_RUN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.=+/:-"
_RUNS = bytes(sign if sign in _IN_RUN else 32 for sign in range(256))
"""Leaves the words in which every shape stands that is not cut, and all that is encoded."""
_CUT = "…".encode()
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{16,}")
_HEX = re.compile(rb"[0-9a-fA-F]{24,}")
_WHOLE = re.compile(
    rb'"([A-Za-z0-9+/_-]{8,}={0,2}(?:(?:[\s\x80-\xff]|\\+[nrt])+[A-Za-z0-9+/_-]+={0,2})*(?:[\s\x80-\xff]|\\+[nrt])*)\\*(?:"|\n|\Z)'
)
_BLANK = re.compile(rb"[\s\x80-\xff]|\\+[nrt]")


def holds_nothing(data: bytes) -> bool:
    """Whether the masker certainly changes nothing in these lines, but for what it learnt."""
    if b"\0" in data or b"\x1b" in data or b"b64" in data or b"-----BEGIN" in data:
        return False
    if not data.isascii() and (_CUT in data or any(letter in data for letter in _FOLDED)):
        return False
    if (b"\\" in data or b"%" in data) and _ESCAPE.search(data) is not None:
        return False
    lower = data.lower()
    if _has_sign(lower):
        return False
    roots = _roots_if_harmless(data)
    return roots is not None and not _has_name(lower, roots) and not _is_encoded(data)


def _has_sign(lower: bytes) -> bool:
    """Whether there is a sign of a secret that needs no name, in lower case."""
    if b"://" in lower and b"@" in lower:
        return True
    if (b"basic" in lower or b"bearer" in lower) and _SCHEME.search(lower) is not None:
        return True
    if (b"-u" in lower or b"-proxy-u" in lower) and _CLIENT.search(lower) is not None:
        return True
    if b'"-' in lower and _OPTION.search(lower) is not None:
        return True
    return any(root in lower and pattern.search(lower) is not None for root, pattern in _COMMANDS)


def _has_name(lower: bytes, roots: Iterable[bytes]) -> bool:
    """Whether one of these roots of a secret's name stands where a name may stand, in lower case."""
    lower = lower.replace(_NEVER, b'"":')
    for root in roots:
        for found in _ROOT_IN_STRING[root].finditer(lower):
            if found[1] is not None:
                return True
            begins = lower.rfind(b'"', max(0, found.start() - _REACH), found.start())
            if begins < 0 or lower.endswith(_TEXT, 0, begins):
                continue
            if _is_of_a_list_or_named(lower, begins):
                return True
        if any(_is_in_name(lower, found.start()) for found in _NOT_IN_PROSE[root].finditer(lower)):
            return True
    return False


def _is_of_a_list_or_named(lower: bytes, quote: int) -> bool:
    """Whether the string that begins there is an item of a list, or the value of `"name":` and the like."""
    head = _plain_text(lower[max(0, quote - _HEAD) : quote]).rstrip()
    return head.endswith((b"[", b",")) or not head or _NAMING.search(head) is not None


def _is_in_name(lower: bytes, at: int) -> bool:
    if _BEHIND.match(lower, at) is not None:
        return True
    told = _TOLD.match(lower, at)
    if told is not None and any(48 <= sign <= 57 for sign in told[1]):
        return True
    before = _plain_text(lower[max(0, at - _REACH) : at])
    head = before.rstrip(_WORD)
    return b"-" in before[len(head) :] or _NAMING.search(head, max(0, len(head) - _HEAD)) is not None


def _plain_text(text: bytes) -> bytes:
    """The text with a space for each escape, and without backslashes."""
    if b"\\" in text or not text.isascii():
        return _BLANK.sub(b" ", text).replace(b"\\", b"")
    return text


_MANY = 50_000
_KEPT = 64
_plain: set[bytes] = set()
"""Words that are known to be no secret: the same ones come again and again."""
_rooted: dict[bytes, list[bytes]] = {}
"""The roots of names in those of them that have any."""
_plain_strings: set[bytes] = set()
"""Whole strings that are none, which may be base64 where their words are not."""


def _roots_if_harmless(data: bytes) -> set[bytes] | None:
    """The roots of names in its words; None if a word looks like a secret, or stands for what may be one."""
    words = set(data.translate(_RUNS).split())
    roots = {root for word in words & _rooted.keys() for root in _rooted[word]}
    # Digits stand for no two letters of ASCII in a row.
    new = [word for word in words - _plain if word.strip(b":0123456789")]
    joined = b" ".join(new)
    if any(map(_is_decodable, _BASE64.findall(joined))):
        return None
    if any(beginning in joined for beginning in _BEGINNINGS):
        if _has_shape(data):
            return None
        # Behind other signs the same word may be a secret.
        new = [word for word in new if not any(beginning in word for beginning in _BEGINNINGS)]
    lower = joined.lower()
    found = [root for root in _ROOTS if root in lower]
    roots.update(found)
    if len(_plain) >= _MANY:
        _plain.clear()
        _rooted.clear()
    new = [word for word in new if len(word) <= _KEPT]
    for word in new if found else ():
        lower = word.lower()
        if its := [root for root in found if root in lower]:
            _rooted[word] = its
    _plain.update(new)
    return roots


def _has_shape(data: bytes) -> bool:
    return bool(shapes_in(data.decode(errors="surrogateescape")))


def _is_decodable(run: bytes) -> bool:
    # The first letter may belong to an escape: `\n`.
    if decoded(run.decode()) or (run[0] in b"nrt" and decoded(run[1:].decode())):
        return True
    return len(run) >= 24 and any(
        len(digits) % 2 == 0 and _is_text(bytes.fromhex(digits.decode())) for digits in _HEX.findall(run)
    )


def _is_encoded(data: bytes) -> bool:
    """Whether a string that is base64 as a whole may stand for a secret."""
    found = {spelled for spelled in _WHOLE.findall(data) if len(spelled) >= 12} - _plain_strings
    for spelled in found:
        if _decodes_to_a_sign(spelled):
            return True
        if len(_plain_strings) >= _MANY:
            _plain_strings.clear()
        if len(spelled) <= _KEPT:
            _plain_strings.add(spelled)
    return False


def _is_text(data: bytes) -> bool:
    try:
        return data.decode().isprintable()
    except UnicodeDecodeError:
        return False


def _decodes_to_a_sign(spelled: bytes) -> bool:
    """Whether a string that is base64 as a whole stands for bytes with any sign of a secret in them."""
    text = _BLANK.sub(b"", spelled).translate(_URL_SAFE)
    try:
        data = a2b_base64(text + b"=" * (-len(text) % 4), strict_mode=True)
    except Error:
        return False
    lower = data.lower()
    return (
        any(letter in data for letter in _FOLDED)
        or (b"\0" in data and data.count(b"\0") * 5 > len(data))  # UTF-16
        or data[:2] in (b"\xff\xfe", b"\xfe\xff")
        or _ESCAPE_OF_A_SIGN.search(data) is not None
        or any(root in lower for root in _ROOTS)
        or any(beginning in data for beginning in _BEGINNINGS)
        or _has_sign(lower)
        or _BASE64.search(data) is not None
    )


_URL_SAFE = bytes.maketrans(b"-_", b"+/")
