"""Where the secrets of a command line stand: by the names of options, variables and headers.

Imported where start-up counts: no `re`. What only the looks of a word tell is `texts.find`'s to say, and
`command_line` puts both together.
"""

from __future__ import annotations

from mcptap.masking.hints import HARMLESS, SETTERS
from mcptap.masking.names import word_set
from mcptap.masking.values import is_date, is_path, is_secret, looks_random, says_nothing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Span = tuple[int, int, int]
    """Index of the word; start and end in it, in characters."""

SCHEMES = ("bearer", "basic", "token", "apikey", "digest", "negotiate", "key", "bot", "oauth", "ntlm", "jwt")
"""Words that stand before the secret in `Authorization`."""

_PASSWORD_FLAGS = {
    "-p": "sshpass mysql mysqldump mysqladmin mariadb mongo mongosh mongodump docker podman 7z 7za zip unrar "
    "mosquitto_pub mosquitto_sub influx clickhouse-client snowsql sqlplus helm skopeo az",
    "-a": "redis-cli valkey-cli",
    "-P": "sqlcmd bcp isql unzip mosquitto_pub mosquitto_sub",
    "-w": "ldapsearch ldapmodify ldapadd",
    "-b": "curl",
    "-k": "rclone openssl",
}
"""Short options that take a password, and the programs in which they do."""
_USER_FLAGS = ("-u", "-U", "--user", "--proxy-user", "--auth", "-a", "--creds", "--basic-auth")
"""Options whose value is `user:password`."""
_USER_PROGRAMS = word_set("curl wget http https xh httpie hurl ab siege skopeo")
_HEADER_FLAGS = ("-H", "--header", "--headers", "--proxy-header", "--http-header", "--add-header")
SCRIPT_FLAGS = ("-c", "/c", "-lc", "-ic", "-command", "-e", "--eval")
"""Options behind which a script stands: a text of its own."""
_LONG_SETTERS = ("--env=", "--env-var=", "--setenv=")
_PORTS = word_set("docker podman nerdctl compose docker-compose")
_SEPARATORS = (";", "&", "|", "(", ")", "\n", "`")
_ENV_PROGRAMS = word_set("env genv cross-env sudo doas export set")
"""Programs, and commands of a shell, whose first words set variables: for what stands behind them."""


def secret_spans(argv: Sequence[str], nested: bool = False) -> list[Span]:
    """The places of secrets in a command line, in order, apart. `nested`: it is a command of a script."""
    program = ""
    spans: list[Span] = []
    at = 0
    sets_variables = nested
    while at < len(argv):
        word = argv[at]
        sets_variables = _sets_variables(sets_variables, argv, at)
        if at == 0 or _is_program(argv, at):
            program = _stem(word)
        following = argv[at + 1] if at + 1 < len(argv) else None
        is_script = (at == 0 or argv[at - 1].lower() in SCRIPT_FLAGS) and any(sign.isspace() for sign in word)
        if is_script and not nested:
            spans += [(at, *span) for span in _in_script(word)]
        inside = None if is_script else _inside(word, program)
        if inside is None and (sets_variables or _is_variable(argv, at, program)):
            inside = _variable_secret(word)
        if inside is not None:
            spans.append((at, *inside))
        elif following is not None and word.startswith(("-", "/")):
            span = _behind(word, following, program)
            if span is not None:
                spans.append((at + 1, *span))
                at += 1
        elif following is not None and _is_setting(argv, at, program) and is_secret(word, following):
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


def _in_script(script: str) -> Iterator[tuple[int, int]]:
    """The places in the commands of a script: each is a command line, whose variables stand before it."""
    words: list[tuple[int, str]] = []
    for start, word in (*_words(script), (len(script), ";")):
        if word not in _SEPARATORS:
            words.append((start, word))
            continue
        command = [text for _, text in words]
        for at, first, last in secret_spans(command, nested=True):
            yield words[at][0] + first, words[at][0] + last
        words = []


def _words(script: str) -> Iterator[tuple[int, str]]:
    """Start and text of each word of a script, and of the signs that end its commands; quotes that stand
    around a whole word are left out.
    """
    start, quote = -1, ""
    for at, sign in enumerate(script + " "):
        if quote:
            quote = "" if sign == quote else quote
        elif sign.isspace() or sign in _SEPARATORS:
            if start >= 0:
                word = script[start:at]
                is_quoted = len(word) > 1 and word[0] in "\"'" and word[-1] == word[0]
                yield (start + 1, word[1:-1]) if is_quoted else (start, word)
            if sign in _SEPARATORS:
                yield at, sign
            start = -1
            continue
        elif sign in "\"'":
            quote = sign
        start = at if start < 0 else start


def _sets_variables(sets: bool, argv: Sequence[str], at: int) -> bool:
    """Whether a word stands among those that set variables: `env -i A=B -u C D=E program`."""
    word = argv[at]
    if _stem(word) in _ENV_PROGRAMS:
        return True
    return sets and (
        "=" in word or (at > 0 and word.startswith("-")) or argv[at - 1] in ("-u", "-C", "--unset", "--chdir")
    )


def _is_variable(argv: Sequence[str], at: int, program: str) -> bool:
    """Whether the word sets a variable of what is started: `docker run -e A=B`, `--env A=B`, `--env=A=B`."""
    word, before = argv[at], argv[at - 1] if at else ""
    if word.startswith(_LONG_SETTERS) or before.startswith(("--env", "--setenv")):
        return True
    if program in _PORTS:
        return before == "-e" or (word.startswith("-e") and "=" in word)
    return before in ("-e", "-E") and word.partition("=")[0].isupper()


def _variable_secret(word: str) -> tuple[int, int] | None:
    """The value of a variable that is set, unless it is one of the harmless ones, or says nothing.

    Values of variables are not recorded, wherever they stand.
    """
    long = word.startswith(_LONG_SETTERS)
    start = word.index("=") + 1 if long else 2 if word.startswith("-e") else 0
    name, sign, value = word[start:].partition("=")
    if not sign or not name.isidentifier() or name in HARMLESS or says_nothing(value) or is_path(value):
        return None
    is_word = value.isalpha() and value.islower()
    if is_word or "://" in value or (value.isdecimal() and len(value) < 6):
        return None
    return _content(value, start + len(name) + 1)


def _is_setting(argv: Sequence[str], at: int, program: str) -> bool:
    """Whether the word is a name that is being set: `config set api_key VALUE`, `--headers X-Api-Key VALUE`.

    Behind a variable of a container its image stands: the value is that of mcptap's own environment.
    """
    before = argv[at - 1] if at else ""
    is_image_next = program in _PORTS and before in ("-e", "--env")
    return before in SETTERS and not is_image_next and not _is_long_option(argv[at + 1])


def _inside(word: str, program: str) -> tuple[int, int] | None:
    """The secret within one word: `--token=S`, `KEY=S`, `/password:S`, `-uname:S`, `Authorization: S`."""
    name, sign, value = word.partition("=")
    if sign and name.startswith("-") and name in _HEADER_FLAGS:
        return _shifted(header_secret(value), len(name) + 1)
    if sign and name in _USER_FLAGS:
        return _shifted(_user_secret(value), len(name) + 1)
    plain = name.lstrip("-/")
    if sign and plain and not any(mark in plain for mark in " ;&?{[\"'") and _is_named(name, value):
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
    is_user = program in _USER_PROGRAMS and flag[:1] == "-" and flag[1:].isalpha() and flag.endswith("u")
    if is_user or (flag in _USER_FLAGS and not flag.startswith("-u")):
        found = _user_secret(value)
        if found is not None:
            return found
    if program in _PASSWORD_FLAGS.get(flag, "").split() and not _is_port(flag, value, program):
        return None if says_nothing(value) else (0, len(value))
    name = flag.lstrip("-/")
    if not name or "=" in name or _is_long_option(value) or (flag.startswith("/") and "/" in name):
        return None
    if value.startswith("-") and (len(value) < 6 or value[1:].replace("-", "").isalpha()):
        return None  # another option: this one takes no value
    return _content(value, 0) if _is_named(flag, value) and not is_date(value) else None


def _is_named(flag: str, value: str) -> bool:
    """Whether an option or variable says by its name that its value is a secret.

    `-Dtoken=S` and `-PTOKEN=S` have a letter of their own before the name.
    """
    name = flag.lstrip("-/")
    if name in ("key", "auth-key", "pat", "api"):
        return looks_random(value) and not is_path(value) and "." not in value
    names = [name, name[1:]] if flag[:2] in ("-D", "-P", "-e", "-J") else [name]
    return any(is_secret(spelled, value) or is_secret(_last(spelled), value) for spelled in names)


def _is_long_option(value: str) -> bool:
    """Whether it is another option, and no secret that begins with two hyphens."""
    rest = value[2:]
    is_mixed = not rest.islower() and not rest.isupper() and any(sign.isdecimal() for sign in rest)
    return value.startswith("--") and not (is_mixed and len(rest) >= 12 and "=" not in rest)


def _is_port(flag: str, value: str, program: str) -> bool:
    if flag != "-p" or program not in _PORTS:
        return False
    return all(part.isdecimal() or "." in part for part in value.partition("/")[0].split(":"))


def _last(name: str) -> str:
    """The last part of a dotted name: `auth.password`, `-Dmy.password`."""
    return name.rpartition(".")[2] or name


def _content(value: str, shift: int) -> tuple[int, int]:
    """The value without quotes around it, without the scheme before it; of `${NAME:-default}` the default."""
    start, end = 0, len(value)
    if end - start > 1 and value[0] in "\"'" and value[-1] == value[0]:
        start, end = 1, end - 1
    default = value.find(":-", start, end)
    if value.startswith("${", start) and default > 0 and value.endswith("}", start, end):
        return shift + default + 2, shift + end - 1
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
