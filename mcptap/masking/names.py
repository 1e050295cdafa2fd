"""Which names say that their value is a secret: of JSON members, variables, options, headers, parameters.

Imported where start-up counts: no `re`, `typing` or `enum`.
"""

from __future__ import annotations

from mcptap.masking.hints import ROOTS

NO, PERHAPS, YES = 0, 1, 2
"""How sure a name makes it. `PERHAPS`: only a value that looks made by a machine is a secret."""


def word_set(words: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(words.split())


NEVER_MASKED = word_set("progressToken cursor nextCursor requestState requestId taskId maxTokens max_tokens")
"""Members of the protocol that hold no secret, and by which a session is followed."""

_NOUNS = word_set(
    "password passwd passphrase passcode passwort pass pwd pw secret token credential cred authorization "
    "cookie jwt bearer apikey accesskey secretkey privatekey accountkey authtoken accesstoken "
    "refreshtoken idtoken clientsecret otp psk connectionstring authkey sharedkey signingkey "
    "encryptionkey sessiontoken dbpass userpass"
)
_PERHAPS = word_set("auth signature sig phpsessid jsessionid creds")
_SECRET_KEYS = word_set(
    "api access secret private account auth shared encryption signing subscription master service app "
    "application consumer storage admin role hmac license webhook deploy function functions ssh rsa pem "
    "client anthropic openai google gemini azure mistral groq cohere stripe tavily exa brave serper "
    "firecrawl figma github gitlab slack notion linear sentry datadog"
)
"""What makes a key a secret one: `api_key`, `AccountKey`."""
_OPEN_KEYS = word_set(
    "public primary foreign sort cache partition idempotency hash map object row column unique lookup "
    "group index event dedupe routing shard host arrow hot short registry s3 bucket project issue"
)
_HARMLESS_TOKENS = word_set(
    "progress page next prev previous continuation cancel cancellation sync cursor pad eos bos unk sep "
    "cls mask special stop max min input output prompt completion total cached first last end start num "
    "per design operator unexpected syntax reasoning thinking budget used remaining lexer parser image text "
    "audio"
)
"""What makes a token a piece of text, a page, or a count."""
_ALSO_SECRET = word_set(
    "hash value values raw plain plaintext text string str b64 base64 encoded current old new confirm "
    "confirmation again header prod production dev test staging live backup secondary default sha256 md5 "
    "bcrypt salt param digest pem jwk"
)
"""What may stand behind the noun: `passwordHash`, `tokenValue` are secrets too."""
_COMPOUNDS = tuple(
    word_set(
        "password passwd passphrase apikey accesskey secretkey privatekey accountkey sharedkey authkey "
        "authtoken accesstoken refreshtoken bearertoken idtoken bottoken usertoken sessiontoken apitoken "
        "csrftoken xsrftoken clientsecret appsecret secret authorization credential passcode "
        "connectionstring subscriptionkey functionskey"
    )
)
"""Ends of names that are written in one word, such as `mysecret`."""

_known: dict[str, int] = {}
_KNOWN = 4096
"""So many names are remembered."""


def secrecy(name: str) -> int:
    """Whether the name says that its value is a secret: `NO`, `PERHAPS` or `YES`."""
    found = _known.get(name)
    if found is None:
        found = _secrecy(name[:200])
        if len(_known) < _KNOWN and len(name) <= 200:
            _known[name] = found
    return found


def is_directory(name: str) -> bool:
    """Whether it is the variable of the working directory: PWD is no password."""
    return name in ("PWD", "OLDPWD")


def words_of(name: str) -> list[str]:
    """The words of a name in lower case, whichever way they are joined: `X-API-Key`, `apiKey`, `API_KEY`."""
    words = []
    word = ""
    for i, sign in enumerate(name):
        if not sign.isalnum():
            if word:
                words.append(word)
            word = ""
            continue
        before = name[i - 1] if i else ""
        after = name[i + 1 : i + 2]
        begins = sign.isupper() and word and (not before.isupper() or (after.islower() and after != "s"))
        if begins:
            words.append(word)
            word = ""
        word += sign
    if word:
        words.append(word)
    return [word.lower() for word in words]


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _secrecy(name: str) -> int:
    lower = name.lower()
    if not any(root in lower for root in ROOTS):
        return NO
    if name in NEVER_MASKED or is_directory(name):
        return NO
    words = words_of(name)
    while len(words) > 1 and (words[-1] in _ALSO_SECRET or words[-1].isdecimal()):
        words.pop()
    if not words:
        return NO
    last = _singular(words[-1].rstrip("0123456789"))
    before = words[-2] if len(words) > 1 else ""
    if last == "key":
        if before in _SECRET_KEYS:
            return YES
        is_variable = name.isupper() and "_" in name
        return PERHAPS if is_variable and before not in _OPEN_KEYS else NO
    if last == "token":
        if before in _HARMLESS_TOKENS:
            return NO
        if words[-1] == "tokens":  # of text, as a rule
            return (
                YES
                if before in _SECRET_KEYS or before in ("refresh", "bearer", "bot", "session")
                else PERHAPS
            )
        return YES
    if last in _NOUNS:
        return YES
    if last in _PERHAPS:
        return YES if name in ("_auth", "sig") else PERHAPS
    if last == "string" and before == "connection":
        return NO
    if last.endswith(_COMPOUNDS) and not last.endswith(("progresstoken", "nosecret")):
        return YES
    return NO
