"""Where the secrets of a command line stand: by the names of options, variables and headers.

Imported where start-up counts: no `re`. What only the looks of a word tell is `texts.find`'s to say.
"""

from __future__ import annotations

from mcptap.masking.names import word_set
from mcptap.masking.values import is_date, is_path, is_secret, looks_random, says_nothing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Span = tuple[int, int, int]
    """Index of the word; start and end in it, in characters."""

SCHEMES = ("bearer", "basic", "token", "apikey", "digest", "negotiate", "key", "bot", "oauth", "ntlm", "jwt")
"""Words that stand before the secret in `Authorization`."""

_PASSWORD_FLAGS = {
    "-p": "sshpass mysql mysqldump mysqladmin mariadb mongo mongosh mongodump docker podman 7z 7za zip unrar "
    "mosquitto_pub mosquitto_sub influx clickhouse-client snowsql sqlplus helm skopeo",
    "-a": "redis-cli valkey-cli",
    "-P": "sqlcmd bcp isql unzip mosquitto_pub mosquitto_sub",
    "-w": "ldapsearch ldapmodify ldapadd",
    "-b": "curl",
    "-k": "rclone",
}
"""Short options that take a password, and the programs in which they do."""
_USER_FLAGS = ("-u", "-U", "--user", "--proxy-user", "--auth", "-a", "--creds", "--basic-auth")
"""Options whose value is `user:password`."""
_USER_PROGRAMS = word_set("curl wget http https xh httpie hurl ab siege skopeo")
_HEADER_FLAGS = ("-H", "--header", "--headers", "--proxy-header", "--http-header", "--add-header")
_SCRIPT_FLAGS = ("-c", "/c", "-lc", "-ic", "-command", "-e", "--eval")
"""Options behind which a script stands: a text of its own."""
_PORTS = word_set("docker podman nerdctl compose docker-compose")


def secret_spans(argv: Sequence[str]) -> list[Span]:
    """The places of secrets in a command line, in order, apart."""
    program = ""
    spans: list[Span] = []
    at = 0
    while at < len(argv):
        word = argv[at]
        if at == 0 or _is_program(argv, at):
            program = _stem(word)
        following = argv[at + 1] if at + 1 < len(argv) else None
        is_script = at > 0 and argv[at - 1].lower() in _SCRIPT_FLAGS and " " in word
        inside = None if is_script else _inside(word, program)
        if inside is not None:
            spans.append((at, *inside))
        elif following is not None and word.startswith(("-", "/")):
            span = _behind(word, following, program)
            if span is not None:
                spans.append((at + 1, *span))
                at += 1
        elif following is not None and _is_setting(argv, at) and is_secret(word, following):
            spans.append((at + 1, 0, len(following)))
            at += 1
        at += 1
    return spans


def _is_program(argv: Sequence[str], at: int) -> bool:
    """Whether the word names a program that another one starts: `env A=B curl`, `sudo mysql`."""
    stem = _stem(argv[at])
    known = stem in _USER_PROGRAMS or any(stem in names.split() for names in _PASSWORD_FLAGS.values())
    return known and not argv[at - 1].startswith("-")


def _stem(word: str) -> str:
    name = word.replace("\\", "/").rpartition("/")[2].lower()
    return name.removesuffix(".exe").removesuffix(".cmd")


def _is_setting(argv: Sequence[str], at: int) -> bool:
    """Whether the word is a name that is being set: `config set api_key VALUE`."""
    return at > 0 and argv[at - 1] in ("set", "set-secret", "add-secret", "put")


def _inside(word: str, program: str) -> tuple[int, int] | None:
    """The secret within one word: `--token=S`, `KEY=S`, `/password:S`, `-uname:S`, `Authorization: S`."""
    name, sign, value = word.partition("=")
    if sign and name.startswith("-") and name in _HEADER_FLAGS:
        return _shifted(header_secret(value), len(name) + 1)
    if sign and name in _USER_FLAGS:
        return _shifted(_user_secret(value), len(name) + 1)
    plain = name.lstrip("-/")
    if sign and plain and not any(mark in plain for mark in " ;&?{\"'") and is_secret(_last(plain), value):
        return _content(value, len(name) + 1)
    if word.startswith("-H") and len(word) > 2:
        return _shifted(header_secret(word[2:]), 2)
    name, sign, value = word.partition(":")
    if sign and name.startswith(("/", "-")) and is_secret(name[1:].lstrip("-"), value) and " " not in name:
        return len(name) + 1, len(word)
    for flag, programs in _PASSWORD_FLAGS.items():
        attached = word.startswith(flag) and len(word) > 2 and not word.startswith("--")
        if attached and flag == "-p" and program in programs.split() and program not in _PORTS:
            return None if says_nothing(word[2:]) else (2, len(word))
    if word.startswith("-u") and len(word) > 2 and program in _USER_PROGRAMS:
        return _shifted(_user_secret(word[2:]), 2)
    return None if word.startswith("-") else header_secret(word)


def _behind(flag: str, value: str, program: str) -> tuple[int, int] | None:
    """The secret in the word behind an option."""
    if flag in _HEADER_FLAGS:
        return header_secret(value)
    if flag in _USER_FLAGS and (program in _USER_PROGRAMS or not flag.startswith("-u")):
        found = _user_secret(value)
        if found is not None:
            return found
    if program in _PASSWORD_FLAGS.get(flag, "").split() and not _is_port(flag, value, program):
        return None if says_nothing(value) else (0, len(value))
    name = flag.lstrip("-/")
    if not name or "=" in name or value.startswith("--") or (flag.startswith("/") and "/" in name):
        return None
    if value.startswith("-") and (len(value) < 6 or value[1:].replace("-", "").isalpha()):
        return None  # another option: this one takes no value
    if name in ("key", "auth-key", "pat", "api"):
        return (0, len(value)) if looks_random(value) and not is_path(value) and "." not in value else None
    return _content(value, 0) if is_secret(_last(name), value) and not is_date(value) else None


def _is_port(flag: str, value: str, program: str) -> bool:
    if flag != "-p" or program not in _PORTS:
        return False
    return all(part.isdecimal() or "." in part for part in value.partition("/")[0].split(":"))


def _last(name: str) -> str:
    """The last part of a dotted name: `auth.password`, `-Dmy.password`."""
    return name.rpartition(".")[2] or name


def _content(value: str, shift: int) -> tuple[int, int]:
    """The value without quotes around it, and without the scheme before it."""
    start, end = 0, len(value)
    if end - start > 1 and value[0] in "\"'" and value[-1] == value[0]:
        start, end = 1, end - 1
    return shift + start + scheme_length(value[start:end]), shift + end


def scheme_length(value: str) -> int:
    """Characters of a scheme of `Authorization` with the space behind it, 0 without one."""
    scheme, space, rest = value[:200].partition(" ")
    return (
        len(scheme) + 1 + len(rest) - len(rest.lstrip())
        if space and rest.strip() and scheme.lower() in SCHEMES
        else 0
    )


def _shifted(span: tuple[int, int] | None, by: int) -> tuple[int, int] | None:
    return None if span is None else (span[0] + by, span[1] + by)


def _user_secret(value: str) -> tuple[int, int] | None:
    """The password in `user:password`; what is all digits is two numbers of a user and a group."""
    user, colon, password = value.partition(":")
    if not colon or "/" in user or password.startswith("//") or says_nothing(password):
        return None
    return None if user.isdecimal() and password.isdecimal() else (len(user) + 1, len(value))


def header_secret(text: str) -> tuple[int, int] | None:
    """The secret in `Name: value` of HTTP, without its scheme (`Bearer`); None if it is none."""
    name, colon, value = text.partition(":")
    name = name.strip(" \"'")
    if not colon or not name or not all(sign.isalnum() or sign in "-_" for sign in name):
        return None
    start = len(text) - len(value.lstrip())
    kept = text[start:].rstrip(" \"'")
    end = start + len(kept)
    if not is_header_secret(name, kept):
        return None
    shift = scheme_length(kept)
    return None if says_nothing(kept[shift:]) else (start + shift, end)


def is_header_secret(name: str, value: str) -> bool:
    """Whether the value of a header of HTTP is a secret."""
    lower = name.lower()
    if lower in ("cookie", "set-cookie", "authorization", "proxy-authorization", "mcp-session-id"):
        return not says_nothing(value)
    return is_secret(name, value)
