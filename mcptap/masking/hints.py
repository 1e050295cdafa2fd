"""Whether a command line may hold a secret at all: asked before anything is imported that looks closer.

The tap masks its server's command line while a client waits. So what stands here costs microseconds, is
imported at the start (no `re`, no other module of ours), and errs on one side only: where it says no,
`argv.secret_spans` and `texts.find` find nothing. What they find is theirs to say.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

ROOTS = tuple(
    "pass pw secret token cred auth cookie jwt bearer key otp psk sig connection sess".split()  # noqa: SIM905
)
"""One of them stands in every name of a secret."""

BEGINNINGS = tuple(
    (  # noqa: SIM905
        "-----BEGIN eyJ sk- sk_ rk- rk_ pk_ whsec_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glrt- "
        "glptt- glcbt- glagent- glsoat- glft- glimt- gloas- glffct- hf_ npm_ pypi- xox xapp- AKIA ASIA ABIA "
        "ACCA AIza ya29. GOCSPX- do_v1_ dop_v1_ doo_v1_ dor_v1_ shp sq0 SG. lin_ ntn_ figd_ tvly- gsk_ xai- "
        "r8_ pplx- nvapi- sbp_ dckr_pat_ hvs. hvb. hvr. PMAK- rubygems_ sntry glsa_ glc_ AGE-SECRET-KEY pat- "
        ":AA hooks.slack /api/webhooks/"
    ).split()
)
"""What every shape of `shapes` has in it."""

HARMLESS = frozenset(
    "PATH HOME LANG LC_ALL LC_CTYPE SHELL TERM USER LOGNAME TMPDIR TZ PWD VIRTUAL_ENV CONDA_PREFIX "  # noqa: SIM905
    "PYTHONPATH PYTHONHOME PYTHONUNBUFFERED PYTHONIOENCODING PYTHONUTF8 PYENV_VERSION "
    "NODE_ENV NODE_PATH NODE_OPTIONS NVM_DIR NVM_BIN NO_COLOR "
    "CLAUDE_PROJECT_DIR CLAUDECODE XDG_STATE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME "
    "APPDATA LOCALAPPDATA USERPROFILE PATHEXT SYSTEMROOT TEMP TMP COMSPEC".split()
)
"""Variables whose values are recorded and shown. Of all others only the names: they may be secrets."""

SETTERS = ("set", "set-secret", "add-secret", "put", "--setenv", "--env", "-e", "-H", "--header", "--headers")
"""Words behind which a name and its value stand: `config set api_key VALUE`."""
_SETTING = ("env", "sudo", "doas", "export", "set")
"""Ends of the programs and commands whose first words set variables."""
_SHORT_OPTIONS = ("-p", "-a", "-P", "-w", "-b", "-k")
_USER_OPTIONS = ("-u", "-U", "--user", "--proxy-user")
_COARSE = " \t\r\n\v\f\"'`\\\x1b+"
"""Where one of them stands, a name need not stand right before its sign."""
_SIGNS = ("=", ":", "-", "bearer", "basic")
"""What stands between a name and its secret, or before it."""
_SCRIPT_SIGNS = str.maketrans(";&|()`\"'", " " * 8)
"""What ends a command of a script, or stands around a word of it."""
_ESCAPES = ("\x1b", "\u241b", "\\u00", "\\x1", "\\0")
"""What begins a change of colours, which may stand in the middle of anything."""
_IN_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-")
_LEAST_BASE64, _LEAST_HEX, _LEAST_PART, _MOST_NESTED = 16, 24, 24, 3


def may_be_in_argv(argv: Sequence[str]) -> bool:
    """Whether a name in the command line may tell of a secret (`argv.secret_spans`)."""
    sets_variables = False
    for at, word in enumerate(argv):
        following = argv[at + 1] if at + 1 < len(argv) else ""
        lower = word.lower()
        if any(root in lower for root in ROOTS) and (
            word.startswith("-")
            or (word.startswith("/") and "/" not in word.lstrip("-/"))
            or "=" in word
            or ":" in word
            or (at > 0 and argv[at - 1] in SETTERS)
        ):
            return True
        if word.startswith("-"):
            if word[:2] in _SHORT_OPTIONS or word.lstrip("-").partition("=")[0] in ("pat", "api"):
                return True
            if word.startswith(_USER_OPTIONS) and (":" in word or ":" in following):
                return True
            if word.endswith("u") and ":" in following:
                return True
            if word.startswith(("-e", "-E", "--env", "--setenv")) and ("=" in word or "=" in following):
                return True
        elif sets_variables and "=" in word:
            return True
        words = word.translate(_SCRIPT_SIGNS).split()
        if len(words) > 1 and ("=" in word or may_be_in_argv(words)):
            return True  # a script
        sets_variables |= lower.removesuffix(".exe").endswith(_SETTING)
    return False


def may_be_in_text(word: str, nested: int = 0) -> bool:
    """Whether a word of a command line may hold a secret by itself (`texts.find`)."""
    if any(escape in word for escape in _ESCAPES):
        return True
    lower = word.lower()
    is_coarse = not word.isascii() or any(sign in word for sign in _COARSE)
    if any(sign in lower for sign in _SIGNS) and (
        "basic" in lower
        or (_has_root(lower) if is_coarse else any(map(_has_root, _names(lower))))
        or ("://" in word and ("@" in word or max(map(len, word.split("/"))) >= _LEAST_PART))
        or ("-u" in lower and ":" in word)
    ):
        return True
    if any(beginning in word and _begins(word, beginning, is_coarse) for beginning in BEGINNINGS):
        return True
    if "%" in word and any(_is_hex(piece[:2]) and len(piece) > 1 for piece in word.split("%")[1:]):
        return True
    return len(word) >= _LEAST_BASE64 and nested < _MOST_NESTED and _may_be_encoded(word, nested)


def _has_root(text: str) -> bool:
    return any(root in text for root in ROOTS)


def _names(word: str) -> list[str]:
    """What stands before each sign, from the last slash on: `a:key=b` has `a` and `key`."""
    return [piece.rpartition("/")[2] for piece in word.replace("=", ":").split(":")[:-1]]


def _begins(word: str, beginning: str, is_coarse: bool) -> bool:
    """Whether it stands behind no letter or digit, as those of `shapes` that begin with a letter do."""
    if is_coarse or not beginning[0].isalnum() or beginning == "hooks.slack":
        return True
    at = word.find(beginning)
    while at > 0 and word[at - 1].isalnum():
        at = word.find(beginning, at + 1)
    return at >= 0


def _is_hex(text: str) -> bool:
    return all(sign in "0123456789abcdefABCDEF" for sign in text)


def _may_be_encoded(word: str, nested: int) -> bool:
    for run in "".join([sign if sign in _IN_BASE64 else " " for sign in word]).split():
        if len(run) < _LEAST_BASE64:
            continue
        from binascii import Error, a2b_base64

        try:
            data = a2b_base64(run.replace("-", "+").replace("_", "/") + "=" * (-len(run) % 4))
        except Error:
            data = b""
        pieces = run.replace("+", "/").replace("_", "/").replace("-", "/").split("/")
        found = [bytes.fromhex(piece) for piece in pieces if _is_hex_run(piece)]
        for plain in (data, *found):
            try:
                if plain and may_be_in_text(plain.decode(), nested + 1):
                    return True
            except UnicodeDecodeError:
                continue
    return False


def _is_hex_run(piece: str) -> bool:
    return len(piece) >= _LEAST_HEX and len(piece) % 2 == 0 and _is_hex(piece)
