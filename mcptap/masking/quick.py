"""Whether bytes certainly hold nothing to be masked: a quick look that spares nearly all the slow one.

It looks at the bytes as they stand in a record or on the wire, escapes and all, and errs on one side only:
where it says that there is nothing, the masker changes nothing, whether it takes them for JSON, for text, for
JSON within a text, or for a string in any of these. So it knows the signs of a secret and no exceptions: the
root of a secret's name where names stand, the beginning of a known shape, a command line, something encoded.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64

from mcptap.masking.hints import BEGINNINGS, ROOTS
from mcptap.masking.shapes import shapes_in
from mcptap.masking.texts import decoded

_ROOTS = tuple(root.encode() for root in ROOTS)
_BEGINNINGS = tuple(beginning.encode() for beginning in BEGINNINGS)
_FOLDED = ("␛".encode(), "\u212a".encode(), "\u017f".encode(), "\u0130".encode())
"""The picture of ESC, and letters that are letters of ASCII in the other case."""

_ESCAPE = re.compile(rb'\\[^nrt"\\]|%[0-9a-fA-F]{2}')
"""An escape that may stand for any sign, or percent-encoding."""
_SPACE = rb"(?:[\s\x80-\xff\\]|(?<=\\)[nrt])*"
_OPTION = re.compile(rb'[\[,]%b"-' % _SPACE)
_COMMAND = re.compile(
    rb'(?:argv|args|command|cmd|cmdline|arguments|commandline|commands)\\*"%b:%b\[' % (_SPACE, _SPACE)
)
_SCHEME = re.compile(rb"(?:basic|bearer)[ \t+%\\]")
_CLIENT = re.compile(rb"curl|wget|httpie|xh")

_REACH = 400
"""Bytes before the root of a name that are looked at; of a name the masker looks at 200 characters."""
_NAME = rb"[\w.%\-\[\]$\x80-\xff]"
_BEHIND = re.compile(rb"%b*+(?: %b*+)?\\*+[\"'`]?\]?(?:[ \t]|\\+t){0,8}[:=]" % (_NAME, _NAME))
"""From a root on: the rest of a name, and its sign."""
_QUOTE_BEHIND = re.compile(rb'(?:"\\*){1,3}%b:' % _SPACE)
_TOLD = re.compile(
    rb"(?:key|token|password|passwd|passphrase|passcode|secret)"
    rb"(?:[ ](?:is|was|of|for|user|provided|given|value|set|to)\b){0,3}[ ]{0,4}(?:->|[:=.>(])?[ ]?\\*[\"'`(]?"
    rb"([a-z0-9][\w.+/=~\x80-\xff-]{4,})"
)
_NAMING = re.compile(rb"(?:name|key|variable|header|field|param|\bk)[\"'\s]*[:=][\s\"']*\Z")
_HEAD = 40
"""Bytes before a string or a word that are looked at for what names it."""
_PROSE = re.compile(rb"[a-z,.] [a-z]++ (?!(?:is|was|of|for|user|provided|given|value|set|to)\b)[a-z]++ [a-z]")
"""A word, from two signs before it, and two behind it: no name of anything."""
_NEVER = b'"progresstoken":'
_WORD = bytes(range(128, 256)) + b"abcdefghijklmnopqrstuvwxyz0123456789_.-"

_IN_RUN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.=+/:-"
_RUNS = bytes(sign if sign in _IN_RUN else 32 for sign in range(256))
"""Leaves the words in which every shape stands that is not cut, and all that is encoded."""
_LONG = 13
"""Signs of the shortest of these."""
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
    return not (_has_sign(lower) or _has_name(lower) or _has_run(data) or _is_encoded(data))


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
    return (b"arg" in lower or b"command" in lower or b"cmd" in lower) and _COMMAND.search(lower) is not None


def _has_name(lower: bytes) -> bool:
    """Whether the root of a secret's name stands where a name may stand, in lower case."""
    lower = lower.replace(_NEVER, b'"":')
    begun = -1
    for root in _ROOTS:
        at = lower.find(root)
        ended = -1
        while at >= 0:
            if ended < at:
                ended = lower.find(b'"', at)
                ended = len(lower) if ended < 0 else ended
                if _QUOTE_BEHIND.match(lower, ended) is not None:
                    return True
            begins = lower.rfind(b'"', max(0, at - _REACH), at)
            if begins >= 0 and begins != begun:
                begun = begins
                if _is_of_a_list_or_named(lower, begins):
                    return True
            if (at < 2 or _PROSE.match(lower, at - 2) is None) and _is_in_name(lower, at):
                return True
            at = lower.find(root, at + 1)
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
"""Long words that are known to be no secret: the same ones come again and again."""
_plain_strings: set[bytes] = set()
"""The same of whole strings, which may be base64 where their words are not."""


def _has_run(data: bytes) -> bool:
    """Whether a long word in it looks like a secret, or can be decoded to what may be one."""
    runs = {run for run in data.translate(_RUNS).split() if len(run) >= _LONG} - _plain
    for run in runs:
        if not run.strip(b":0123456789"):
            continue  # digits stand for no two letters of ASCII in a row
        if any(beginning in run for beginning in _BEGINNINGS) and _has_shape(data):
            return True
        if any(map(_is_decodable, _BASE64.findall(run))):
            return True
        if len(_plain) >= _MANY:
            _plain.clear()
        _plain.add(run)
    return False


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
        or _ESCAPE.search(data) is not None
        or any(root in lower for root in _ROOTS)
        or any(beginning in data for beginning in _BEGINNINGS)
        or _has_sign(lower)
        or _BASE64.search(data) is not None
    )


_URL_SAFE = bytes.maketrans(b"-_", b"+/")
