"""Where the secrets of a free text stand: assignments, headers, options, URLs, and known shapes.

A text may be prose, a log line, code, a file of settings, a piece of JSON or HTML, and cut anywhere. A name
alone is no reason to mask in prose ("the token: a string"): there the value has to look like a secret too.
All takes time linear in the text.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator

from mcptap.masking.argv import SCHEMES, scheme_length
from mcptap.masking.hints import ROOTS
from mcptap.masking.names import NO, YES, secrecy, word_set, words_of
from mcptap.masking.shapes import CUT, shapes_in
from mcptap.masking.values import is_date, is_path, is_secret, looks_random, says_nothing

Span = tuple[int, int, str]
"""Start, end (in characters) and kind of a secret."""

_STOP = "\\s\"'`<>‹›\u2400-\u2426" + CUT
"""No secret without quotes goes on over these; the last are pictures of control characters."""

_HINTS = (*ROOTS, "basic", "://", "-u ", "--user")
"""One of them stands in every text that has a secret of these kinds."""
_ASSIGNMENT = re.compile(
    r"(?:(?<![\w.%\-\[\]$\\])|(?<=\\[nrt]))(?P<name>[\w.%\-\[\]$]*+)(?P<mark>\\*+[\"'`]?\]?)"
    r"(?P<sign>[ \t]{0,8}(?:=>|:=|=(?![=>])|:)[ \t]{0,8})"
)
_BARE_SIGN = rf"(?:[^{_STOP};&]|[;&](?![ ]?(?:amp;)?[\w.-]{{1,64}}=|\s|$|amp;))"
_LONG = 160
"""So much of a value is looked at to judge it."""
_BARE, _BARE_BEGINNING = re.compile(f"{_BARE_SIGN}+"), re.compile(f"{_BARE_SIGN}{{1,{_LONG}}}")
_IN_URL, _IN_URL_BEGINNING = re.compile(rf"[^{_STOP}&#]+"), re.compile(rf"[^{_STOP}&#]{{1,{_LONG}}}")
_QUOTES = re.compile(r"(\\*)([\"'`])")
_OPTION = re.compile(r"(?<![\w/-])--?(?P<name>[A-Za-z][\w.-]*+)[ \t]+(?P<quote>\\*[\"'`]?)")
_SCHEME = re.compile(rf"(?i)(?<![\w-])(?P<scheme>bearer|basic)(?:[ \t]+|%20|\+)(?P<secret>[^{_STOP},;()]+)")
_USER_INFO = re.compile(r"(?<=://)(?:(?P<user>[^\s/:@\"'<>?#]*+):)?(?P<secret>[^\s\"'<>/?#]+)@(?=[\w.\[$-])")
_IN_PATH = re.compile(r"(?<=/)(?P<secret>[A-Za-z0-9_=-]{24,}+)(?=[/?#]|$)")
"""A part of a path in the URL of a server, by which some know their users."""
_USER_OPTION = re.compile(
    rf"(?<!\S)(?:-u|-U|--user|--proxy-user)[ =]?[\"']?[^{_STOP}:]*+:(?P<secret>[^{_STOP}]+)"
)
_HTTP_CLIENT = re.compile(r"\b(?:curl|wget|httpie|xh)\b")
_ESCAPED = re.compile(rf"(?<![^{_STOP}&=?;#])[^{_STOP}&=?;#%]*+%[^{_STOP}&=?;#]*+")
_COLOUR = re.compile("(?:\x1b|\u241b|\\\\u001[bB]|\\\\x1[bB]|\\\\033)\\[[0-9;]{0,20}m")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{16,}+={0,2}")
_HEX = re.compile(r"(?<![A-Za-z0-9])(?:[0-9a-fA-F]{2}){12,}+(?![A-Za-z0-9])")
_PAIR = re.compile(
    r"(?i)(?<!\\)(\\*+)\"(?:name|key|header|variable|field|param)\1\"\s*:\s*\1\"(?P<name>[^\"\\]{1,200})\1\"\s*,\s*"
    r"\1\"(?:value|val|content|data|default)\1\"\s*:\s*(?=\1\")"
)
_PAIR_IN_LINES = re.compile(
    r"(?i)\b(?:name|key)[ \t]*[:=][ \t]*[\"']?(?P<name>[\w.-]{1,200})[\"']?\s{1,40}(?:value|val|content|data)"
    r"[ \t]*[:=][ \t]*[\"']?(?P<secret>[^\s\"'<>]+)"
)
"""`name: API_KEY` and below it `value: S`; `<add key="token" value="S"/>`."""
_SAID = re.compile(
    r"(?i)(?<![\w-])(?P<name>(?:[\w-]{1,24}[ _-])?(?:key|token|password|passwd|passphrase|passcode|secret))\b"
    r"(?:[ ](?:is|was|of|for|user|provided|given|value|set|to)\b){0,3}[ ]{0,4}(?:->|[:=.>(])?[ ]?[\"'`(]?"
    r"(?P<secret>[A-Za-z0-9][\w.+/=~-]{9,})"
)
"""`Using access token S`, `<password>S</password>`, `token -> S`."""
_JUMBLE = re.compile(r"(?:[A-Za-z]+[0-9]+){2}[A-Za-z]|(?:[0-9]+[A-Za-z]+){2}[0-9]")
"""Letters and digits in turn, as no word of a language has them."""
_CODE = re.compile(r"[A-Za-z_$][\w$]*+(?:(?:\.|::|->)[A-Za-z_$][\w$]*+)*+(?:[(\[{].*|;|\)*)")
_LINE_NAMES = frozenset(("authorization", "proxy-authorization", "cookie", "set-cookie"))
"""Headers whose secret goes on to the end of the line."""
_LINE_END = re.compile('[\r\n\u240a\u240d"\'`<>]|\\\\+["nr]|$')
_PASSWORDS = word_set("password passwd passphrase pwd secret passcode pass")
_MOST_NESTED = 3


def find(text: str, *, in_command: bool = False, nested: int = 0) -> list[Span]:
    """The secrets of a text, in order, apart. `in_command`: it is (a word of) a command line, not prose."""
    text = _COLOUR.sub(lambda colour: " " * len(colour[0]), text)
    closing = _Closing(text)
    found = shapes_in(text)
    lower = text.lower()
    if any(hint in lower for hint in _HINTS):
        found += _schemes(text, in_command)
        found += _urls(text, in_command)
        found += _assignments(text, closing, in_command)
        found += _options(text, in_command)
        found += _pairs(text, closing)
        if not in_command:
            found += _told(text)
        if _HTTP_CLIENT.search(text) or in_command:
            found += _users(text)
    if nested < _MOST_NESTED:
        found += _encoded(text, nested)
    return _apart(found)


def _apart(found: list[Span]) -> list[Span]:
    """Spans in order; of those that overlap one that covers them all, of the kind of the longest."""
    apart: list[Span] = []
    for start, end, kind in sorted(found, key=lambda span: (span[0], -span[1])):
        if start >= end:
            continue
        if apart and start < apart[-1][1]:
            first, last, known = apart[-1]
            apart[-1] = (first, max(last, end), known)
        else:
            apart.append((start, end, kind))
    return apart


def _assignments(text: str, closing: _Closing, in_command: bool) -> Iterator[Span]:
    done = 0
    for match in _ASSIGNMENT.finditer(text):
        if match.start() < done:
            continue
        name = _name(text, match)
        if name is None:
            continue
        in_url = (
            text[: match.start()].endswith(("?", "&", "&amp;"))
            if match.start() < 6
            else (text[match.start() - 5 : match.start()].endswith(("?", "&", "&amp;")))
        )
        if secrecy(name) == NO and not (in_url and name.lower() == "key"):
            continue
        start = match.end()
        if text.startswith("//", start):
            continue
        start += match["sign"] == ":" and text.startswith("-", start)  # `${TOKEN:-default}`
        start += text.startswith("[", start)  # the first of a list, where the text is JSON that was cut
        if name.lower() in _LINE_NAMES:
            span = _header(text, name.lower(), start, closing)
            if span is not None:
                yield span
                done = span[1]
            continue
        quote = _QUOTES.match(text, start)
        if quote is not None:
            start = quote.end()
            end = closing.after(start, quote[1], quote[2])
            value = text[start : min(end, start + _LONG)]
        else:
            bare = (_IN_URL_BEGINNING if in_url else _BARE_BEGINNING).match(text, start)
            if bare is None:
                continue
            value = _trimmed(bare[0])
            end = start + len(value)
        shift = scheme_length(value)
        value = value[shift:]
        named = match["mark"] != "" and quote is not None  # "name": "value"
        assigned = match["sign"].lstrip() == "=" and not _is_code(value, quote is not None)
        is_key = in_url and name.lower() == "key"
        if not (not says_nothing(value) if is_key else is_secret(name, value)):
            continue
        if (
            named
            or in_url
            or in_command
            or assigned
            or _is_told(text, match, name, value, end, quote is not None)
        ):
            if quote is None and end - start >= _LONG - 8:
                bare = (_IN_URL if in_url else _BARE).match(text, start)
                end = start + len(_trimmed(bare[0])) if bare is not None else end
            yield start + shift, end, f'value of "{name[:60]}"'
            done = end


def _name(text: str, match: re.Match[str]) -> str | None:
    """The name before the sign, with the word before it where it is no more than `key`."""
    name = match["name"].rstrip("]").replace("[", ".").strip(".$")
    if "%" in name:
        name = _unquoted(name)
    owner, _, name = name.rpartition(".")
    if not name:
        return None
    if name.lower() == "key" and owner:  # `api.key=`
        return f"{owner} {name}"
    if name.lower() in ("key", "keys", "id", "string", "token", "tokens"):
        before = text[max(0, match.start() - 24) : match.start()]
        if before.endswith(" ") and before[:-1].strip():
            return f"{before.split()[-1]} {name}"
    return name


def _header(text: str, name: str, start: int, closing: _Closing) -> Span | None:
    """What stands in `Authorization: …`, up to the end of the line, without its scheme."""
    quote = _QUOTES.match(text, start)
    if quote is not None:
        start = quote.end()
    end = closing.line_end(start)
    value = text[start : min(end, start + _LONG)].rstrip().rstrip(",}])").rstrip()
    shift = scheme_length(value)
    secret = value[shift:]
    if says_nothing(secret) or secret.lower() in SCHEMES or _is_code(secret, quote is not None):
        return None
    if not shift and "=" not in secret and (" " in secret or name.endswith("cookie")):
        first = secret.partition(" ")[0]
        return (start, start + len(first), "authorization") if _is_made(first) else None
    return start + shift, end if end > start + _LONG else start + len(value), "authorization"


def _trimmed(value: str) -> str:
    """A value without the punctuation of the sentence, the call or the list that it stands in."""
    comma = re.search(r",(?=[\w.-]{1,64}=|$)|[)\]}],", value)
    if comma is not None:
        value = value[: comma.start()]
    value = value.rstrip(".,;:\\")
    for left, right in ("()", "[]", "{}"):
        while value.endswith(right) and value.count(left) < value.count(right):
            value = value[:-1].rstrip(".,;:\\")
    return value


def _is_code(value: str, quoted: bool) -> bool:
    """Whether the value is an expression of a program: a call, an attribute, a variable of the same name."""
    if quoted:
        return False
    if len(value) < 40 and secrecy(value) == YES and not any(sign.isdecimal() for sign in value):
        return True
    if "." not in value and "(" not in value and "[" not in value and "{" not in value and "->" not in value:
        return False
    return _CODE.fullmatch(value) is not None and not any(
        sign.isdecimal() for sign in value.partition("(")[0]
    )


def _is_told(text: str, match: re.Match[str], name: str, value: str, end: int, quoted: bool) -> bool:
    """Whether a value behind `: ` or ` = `, as prose and code have it too, looks like a secret."""
    if _is_code(value, quoted) or is_date(value) or "://" in value or is_path(value):
        return False
    if quoted:
        return " " not in value and text[end : end + 1] != "\n"
    if value.isdecimal():
        return len(value) >= 6 and words_of(name)[-1] in _PASSWORDS
    if len(value) >= 6 and any(sign.isdecimal() for sign in value):
        return True
    if len(value) >= 16 and not value.islower() and not value.isupper() and value.isalnum():
        return True
    line_start = text.rfind("\n", max(0, match.start() - 80), match.start()) + 1
    alone = not text[max(line_start, match.start() - 80) : match.start()].strip(" \t-#")
    return (
        alone
        and text[end : end + 1] in ("", "\n", "\r")
        and words_of(name)[-1] in _PASSWORDS
        and not value.endswith(":")
    )


class _Closing:
    """Where quotes close; asked from left to right it looks at each sign a few times at most."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[str, int] = {}
        self._line_end = -1

    def line_end(self, start: int) -> int:
        """The end of the line of a header that begins at `start`."""
        if self._line_end < start:
            match = _LINE_END.search(self._text, start)
            self._line_end = match.start() if match is not None else len(self._text)
        return self._line_end

    def after(self, start: int, backslashes: str, quote: str) -> int:
        """The end of the text in quotes that begins at `start`: the closing quote, or the end of the line."""
        text = self._text
        level = len(backslashes)
        key = backslashes + quote
        known = self._known.get(key, -1)
        if known >= start:
            return known
        at = start
        line_end = text.find("\n", start)
        line_end = len(text) if line_end < 0 else line_end
        while True:
            at = text.find(quote, at, line_end)
            if at < 0:
                end = line_end
                break
            run = 0
            while at - run > start and text[at - run - 1] == "\\":
                run += 1
            if (run <= level and (level or run == 0)) or (run - level) % (2 * (level + 1)) == 0:
                end = at - min(run, level)
                break
            at += 1
        if end == line_end and text[max(start, end - 1) : end] == CUT:
            end -= 1
        self._known[key] = end
        return end


def _options(text: str, in_command: bool) -> Iterator[Span]:
    """`--token VALUE` within a text."""
    for match in _OPTION.finditer(text):
        name = match["name"]
        if secrecy(name) == NO:
            continue
        value = _BARE.match(text, match.end())
        if value is None or value[0].startswith(("--", "<", "[", "{")):
            continue
        secret = _trimmed(value[0])
        told = in_command or (
            len(secret) >= 6 and any(s.isdecimal() for s in secret) and not secret.isdecimal()
        )
        if told and is_secret(name, secret):
            yield match.end(), match.end() + len(secret), f'value of "{name[:60]}"'


def _schemes(text: str, in_command: bool) -> Iterator[Span]:
    """`Bearer S` and `Basic S`: of any length where nothing else stands there."""
    for match in _SCHEME.finditer(text):
        start = match.start("secret")
        secret = _trimmed(match["secret"])
        end = start + len(secret)
        if says_nothing(secret) or "://" in secret or (secrecy(secret) and secret.replace("_", "").isalpha()):
            continue
        if match["scheme"].lower() == "basic":
            told = _is_basic(secret)
        else:
            alone = text[match.start() - 1 : match.start()] in ("", *"\"'`") and text[end : end + 1] in (
                "",
                *"\"'`\\",
            )
            is_prose = match["scheme"].islower() and secret.isalpha() and secret.islower()
            is_told = in_command or (alone and not is_prose)
            told = (is_told and secret.lower() not in _ABOUT_BEARERS) or _is_made(secret)
        if told:
            yield start, end, "bearer token"


_ABOUT_BEARERS = word_set("auth authentication scheme format header headers error realm only")


def _is_made(secret: str) -> bool:
    """Whether a word is no word of a language."""
    if any(sign.isdecimal() for sign in secret):
        return len(secret) >= 6
    mixed = not secret.islower() and not secret.isupper() and not secret.istitle()
    return (len(secret) >= 8 and mixed and secret.isalnum()) or (len(secret) >= 24 and "/" not in secret)


def _is_basic(secret: str) -> bool:
    """Whether it is user and password in base64."""
    try:
        return b":" in b64decode(secret + "=" * (-len(secret) % 4), validate=True)
    except ValueError:
        return False


def _urls(text: str, in_command: bool) -> Iterator[Span]:
    for match in _USER_INFO.finditer(text):
        secret = match["secret"]
        if not says_nothing(secret) and (
            match["user"] is not None or (len(secret) >= 16 and looks_random(secret))
        ):
            yield *match.span("secret"), "password in a URL"
    if in_command and "://" in text:
        for match in _IN_PATH.finditer(text):
            if looks_random(match["secret"]) and _has_all_kinds(match["secret"]):
                yield *match.span("secret"), "secret part of a URL"


def _has_all_kinds(secret: str) -> bool:
    """Digits, small and capital letters: so no hash of a commit, no UUID, no name."""
    return any(map(str.isdecimal, secret)) and not secret.islower() and not secret.isupper()


def _users(text: str) -> Iterator[Span]:
    """`curl -u user:password` within a text."""
    for match in _USER_OPTION.finditer(text):
        secret = match["secret"]
        if not says_nothing(secret) and not secret.isdecimal() and not secret.startswith("//"):
            yield *match.span("secret"), "password of a user"


def _pairs(text: str, closing: _Closing) -> Iterator[Span]:
    """`"name":"API_KEY","value":"S"` in JSON that can't be parsed, or that is a text within JSON."""
    for match in _PAIR.finditer(text):
        quote = _QUOTES.match(text, match.end())
        if quote is None:
            continue
        end = closing.after(quote.end(), quote[1], quote[2])
        if is_secret(match["name"], text[quote.end() : end]):
            yield quote.end(), end, f'value of "{match["name"][:60]}"'


def _told(text: str) -> Iterator[Span]:
    """What stands beside a name in prose, in lines or in tags, without a sign of its own."""
    for match in _PAIR_IN_LINES.finditer(text):
        if is_secret(match["name"], match["secret"]):
            yield *match.span("secret"), f'value of "{match["name"][:60]}"'
    for match in _SAID.finditer(text):
        secret = _trimmed(match["secret"])
        if _JUMBLE.search(secret) and secrecy(match["name"]) == YES and not is_path(secret):
            start = match.start("secret")
            yield start, start + len(secret), f'value of "{match["name"]}"'


def _encoded(text: str, nested: int) -> Iterator[Span]:
    """Runs that are secrets once they are decoded: percent-encoded, base64, hexadecimal."""
    if "%" in text:
        for match in _ESCAPED.finditer(text):
            plain = _unquoted(match[0])
            if plain != match[0] and find(plain, nested=nested + 1):
                yield *match.span(), "encoded secret"
    for match in _BASE64.finditer(text):
        plain = decoded(match[0])
        if plain and find(plain, nested=nested + 1):
            yield *match.span(), "encoded secret"
    for match in _HEX.finditer(text):
        try:
            plain = bytes.fromhex(match[0]).decode()
        except ValueError:
            continue
        if plain.isprintable() and find(plain, nested=nested + 1):
            yield *match.span(), "encoded secret"


def _unquoted(text: str) -> str:
    """Without percent-encoding; imported only where there is some, since the tap waits for this module."""
    from urllib.parse import unquote

    return unquote(text, errors="replace")


def decoded(text: str) -> str:
    """The text that base64 stands for; empty if it is none, or stands for other bytes."""
    try:
        data = b64decode(
            text.rstrip("=").translate(_URL_SAFE) + "=" * (-len(text.rstrip("=")) % 4), validate=True
        )
        plain = data.decode()
    except ValueError:
        return ""
    control = sum(sign < " " and sign not in "\t\r\n\x1b" for sign in plain[:200])
    return "" if control else plain


_URL_SAFE = str.maketrans("-_", "+/")
