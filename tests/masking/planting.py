"""Secrets in all the places and encodings in which they are met, made by chance from a seed."""

from __future__ import annotations

import json
import random
import string
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from urllib.parse import quote

ALNUM = string.ascii_letters + string.digits
PROSE = (
    "The server is ready",
    "see the docs for how to set it",
    "3 of 12 files were read",
    "a token of thanks for the key idea",
    "Listening; press Ctrl-C to stop",
)
NAMES = (
    *(
        "password",
        "PASSWORD",
        "passwd",
        "passphrase",
        "db_password",
        "DB_PASSWORD",
        "dbPassword",
        "passwordHash",
    ),
    *(
        "token",
        "TOKEN",
        "access_token",
        "accessToken",
        "refreshToken",
        "GITHUB_TOKEN",
        "authToken",
        "tokenValue",
    ),
    *(
        "apiKey",
        "api_key",
        "API_KEY",
        "api-key",
        "apikey",
        "OPENAI_API_KEY",
        "x-api-key",
        "X-API-Key",
        "apiKeys",
    ),
    *("secret", "client_secret", "clientSecret", "CLIENT_SECRET", "AWS_SECRET_ACCESS_KEY", "secretKey"),
    *(
        "private_key",
        "privateKey",
        "accountKey",
        "AccountKey",
        "sharedAccessKey",
        "credential",
        "credentials",
    ),
    *("webhookSecret", "jwt", "bearer_token", "session_token", "encryptionKey", "subscription-key", "DB_PWD"),
)
HEADERS = (
    "Authorization",
    "authorization",
    "Proxy-Authorization",
    "X-API-Key",
    "X-Auth-Token",
    "Private-Token",
)


def signs(chance: random.Random, alphabet: str, least: int, most: int) -> str:
    return "".join(chance.choices(alphabet, k=chance.randint(least, most)))


def any_secret(chance: random.Random) -> str:
    """A password or key of no known form; it has a digit, and no sign that would end it in all places."""
    text = signs(chance, ALNUM + "!#*+._~-", 9, 40)
    text = text.strip("!#*+._~-") + chance.choice(string.digits) + chance.choice(string.ascii_lowercase)
    return "k" + text


def shaped_secret(chance: random.Random) -> str:
    """A secret of a known form, that is known wherever it stands."""
    low = string.ascii_lowercase + string.digits
    forms: tuple[Callable[[], str], ...] = (
        lambda: "ghp_" + signs(chance, ALNUM, 36, 36),
        lambda: "github_pat_" + signs(chance, ALNUM + "_", 60, 82),
        lambda: "glpat-" + signs(chance, ALNUM + "_-", 20, 20),
        lambda: "hf_" + signs(chance, string.ascii_letters, 34, 34),
        lambda: "sk-" + signs(chance, ALNUM, 40, 48),
        lambda: "sk-ant-api03-" + signs(chance, ALNUM + "_-", 60, 90) + "AA",
        lambda: "sk_live_" + signs(chance, ALNUM, 24, 24),
        lambda: "whsec_" + signs(chance, ALNUM, 32, 32),
        lambda: "AKIA" + signs(chance, string.ascii_uppercase + "234567", 16, 16),
        lambda: "AIza" + signs(chance, ALNUM + "_-", 35, 35),
        lambda: "xoxb-" + signs(chance, string.digits, 11, 12) + "-" + signs(chance, ALNUM, 24, 24),
        lambda: "npm_" + signs(chance, ALNUM, 36, 36),
        lambda: ".".join(
            [
                "eyJhbGciOiJIUzI1NiJ9",
                "eyJ" + signs(chance, ALNUM, 20, 60),
                signs(chance, ALNUM + "_-", 30, 43) + "x",
            ]
        ),
        lambda: "dop_v1_" + signs(chance, "abcdef0123456789", 64, 64),
        lambda: "gsk_" + signs(chance, ALNUM, 52, 52),
        lambda: "lin_api_" + signs(chance, low, 40, 40),
    )
    return chance.choice(forms)()


def pem(chance: random.Random) -> tuple[str, str]:
    """A private key in its armour, and a line of it."""
    body = [signs(chance, ALNUM + "+/", 64, 64) for _ in range(chance.randint(2, 6))]
    kind = chance.choice(("RSA ", "EC ", "OPENSSH ", ""))
    lines = [f"-----BEGIN {kind}PRIVATE KEY-----", *body, f"-----END {kind}PRIVATE KEY-----"]
    return "\n".join(lines), chance.choice(body)


# --- command lines ----------------------------------------------------------------------------------


def argv_with(chance: random.Random, secret: str) -> list[str]:
    """A command line in which the secret stands somewhere."""
    flag = chance.choice(
        ("--token", "--api-key", "--apiKey", "--password", "-token", "--client-secret", "--secret")
    )
    header = f"{chance.choice(HEADERS)}: {chance.choice(('Bearer ', 'Basic ', 'token ', ''))}{secret}"
    name = chance.choice(NAMES)
    spelled: tuple[list[str], ...] = (
        ["srv", f"{flag}={secret}"],
        ["srv", flag, secret, "--verbose"],
        ["npx", "-y", "mcp-remote", "https://x.example/mcp", "--header", header],
        ["curl", "-H", header, "https://x.example"],
        ["curl", f"--header={header}", "https://x.example"],
        ["curl", f"-H{header}"],
        ["curl", "-u", f"bob:{secret}", "https://x.example"],
        ["curl", "--user", f"bob:{secret}", "https://x.example"],
        ["curl", f"-ubob:{secret}", "https://x.example"],
        ["env", f"{name}={secret}", "node", "server.js"],
        ["docker", "run", "-e", f"API_KEY={secret}", "-p", "8080:80", "img"],
        ["mysql", f"-p{secret}", "db"],
        ["sshpass", "-p", secret, "ssh", "host"],
        ["redis-cli", "-a", secret],
        ["srv", f"Server=db;User Id=sa;Pwd={secret};Database=x"],
        ["srv", f"AccountName=a;AccountKey={secret};EndpointSuffix=core"],
        ["srv", f"postgres://u:{quote(secret, safe='')}@db.example/x"],
        ["srv", f"https://x.example/?key={quote(secret)}&page=1"],
        ["srv", f"https://x.example/?a=1&access_token={quote(secret)}"],
        ["bash", "-c", f"export API_KEY={secret}; exec node server.js"],
        ["bash", "-c", f"node server.js --token {secret} --port 1"],
        ["java", f"-Ddb.password={secret}", "-jar", "x.jar"],
        ["srv.exe", f"/password:{secret}"],
        ["srv", "--config", json.dumps({"auth": {"token": secret}})],
        ["srv", "--set", f"auth.password={secret}"],
    )
    return chance.choice(spelled)


# --- texts ------------------------------------------------------------------------------------------


def text_with(chance: random.Random, secret: str) -> str:
    """A piece of text in which the secret is told by what stands around it."""
    name = chance.choice(NAMES)
    variable = chance.choice(("API_KEY", "GITHUB_TOKEN", "DB_PASSWORD", "CLIENT_SECRET"))
    url = quote(secret, safe="")
    spelled = (
        f"{variable}={secret}",
        f"export {variable}='{secret}'",
        f'{variable}="{secret}"',
        f"{variable.lower()}: {secret}",
        f"{variable.lower()} = {secret}",
        f"Authorization: Bearer {secret}",
        f"Authorization: {secret}",
        f"> authorization: token {secret}",
        f"Cookie: session={secret}; theme=dark",
        f"X-API-Key: {secret}",
        f"curl -H 'Authorization: Bearer {secret}' https://x.example",
        f"curl -u bob:{secret} https://x.example",
        f"postgres://bob:{url}@db.example:5432/x",
        f"GET https://x.example/v1?page=2&api_key={url}&z=1",
        f"https://x.example/?key={url}",
        f"https://x.example/cb?to=https%3A%2F%2Fy.example%2F%3Ftoken%3D{url}",
        f"Server=db;Uid=sa;Pwd={secret};",
        f"started with --api-key={secret}",
        f"started with --token {secret}",
        json.dumps({"a": 1, name: secret}),
        json.dumps({"a": {"b": [{name: [secret]}]}}, indent=2),
        json.dumps({"name": variable, "value": secret}),
        json.dumps({name: secret})[:-1],  # cut
        "got " + json.dumps({"x": 1, name: secret}) + " from it",
        "got " + json.dumps(json.dumps({"x": 1, name: secret})),
        str({"x": 1, name: secret}),
        f"\x1b[33m{variable}\x1b[0m=\x1b[1m{secret}\x1b[0m",
        f'headers["Authorization"] = "Bearer {secret}"',
        f"<input name=q value=1><a href='https://x.example/?a=1&amp;token={url}'>x</a>",
        f"line one\\n{variable}={secret}\\nline three",
    )
    return chance.choice(spelled)


def in_prose(chance: random.Random, text: str) -> str:
    """The text on its own, on a line of its own, or in a sentence."""
    before, after = chance.choice(PROSE), chance.choice(PROSE)
    return chance.choice(
        (text, f"{before}\n{text}\n{after}", f"{before}: {text}", f"{before} \t{text} {after}")
    )


# --- values of JSON ---------------------------------------------------------------------------------


def value_with(chance: random.Random, secret: str) -> object:
    """A JSON value in which the secret is told by the names around it."""
    name, header = chance.choice(NAMES), chance.choice(HEADERS)
    scheme = chance.choice(("Bearer ", "Basic ", "token ", ""))
    spelled: tuple[object, ...] = (
        {name: secret},
        {name: [secret, "other1"]},
        {header: [f"{scheme}{secret}"]},
        {"headers": {header: f"{scheme}{secret}", "Accept": "*/*"}},
        {"rawHeaders": ["Host", "x.example", header, f"{scheme}{secret}"]},
        [["Host", "x.example"], [header, f"Bearer {secret}"]],
        {"headers": [{"name": header, "value": f"{scheme}{secret}"}]},
        {"env": [{"name": "API_KEY", "value": secret}]},
        {"env": {"GITHUB_TOKEN": secret, "PATH": "/bin"}},
        {"credentials": {"username": "bob", "value": secret}},
        {"args": argv_with(chance, secret)},
        {"text": in_prose(chance, text_with(chance, secret))},
        {"description": "how it is called", "example": {name: secret}},
        {"inputSchema": {"type": "object", "properties": {name: {"type": "string", "default": secret}}}},
        {"blob": b64encode(f"x=1\n{text_with(chance, secret)}\n".encode()).decode()},
        {"data": urlsafe_b64encode(json.dumps({name: secret}).encode()).decode()},
    )
    value = chance.choice(spelled)
    for _ in range(chance.randint(0, 4)):
        value = chance.choice(({"data": value}, [1, value], {"text": json.dumps(value)}, {"result": value}))
    return value


def shaped_value(chance: random.Random, secret: str) -> object:
    """A JSON value with a secret of a known form at any place, even as a name."""
    said = f"{chance.choice(PROSE)} {secret}{chance.choice(('', '.', ', or not', chr(10)))}"
    spelled: tuple[object, ...] = (
        {"text": said},
        {"x": secret},
        [secret],
        {secret: 1},
        {"text": f"\x1b[32m{secret}\x1b[0m"},
        {"text": f"a\\n{secret}\\nb"},
        {"blob": b64encode(said.encode()).decode()},
        {"uri": f"https://x.example/{secret}/y"},
        {"text": f"see {b64encode(said.encode()).decode()} there"},
        {"text": f"dump {secret.encode().hex()} end"},
    )
    return chance.choice(spelled)


def message_with(chance: random.Random) -> tuple[bytes, list[str]]:
    """A line of the wire with a secret in it, and what must not come through of it."""
    kind = chance.randrange(10)
    if kind == 0:
        key, line = pem(chance)
        value: object = {"text": f"{chance.choice(PROSE)}\n{key}\n"}
        forbidden = [line]
    elif kind < 4:
        secret = shaped_secret(chance)
        value, forbidden = shaped_value(chance, secret), [secret]
    else:
        secret = any_secret(chance)
        value, forbidden = value_with(chance, secret), [secret]
    how = chance.randrange(8)
    if how == 0 and kind >= 4:
        return in_prose(chance, text_with(chance, forbidden[0])).replace("\n", " ").encode(), forbidden
    if how == 1:
        return json.dumps({"jsonrpc": "2.0", "method": "x", "params": value}).encode()[:-1], forbidden  # cut
    if how == 2:
        line_ = json.dumps({"level": "info", "params": value}, ensure_ascii=False)
        return f"INFO {line_}\xff".encode("latin-1", errors="replace"), forbidden
    if how == 3:
        return json.dumps({"id": 7, "jsonrpc": "2.0", "result": value}).encode("utf-16-le"), forbidden
    message = {"jsonrpc": "2.0", "id": chance.randrange(9999), "result": {"content": [value], "_meta": {}}}
    return json.dumps(message, ensure_ascii=chance.random() < 0.5).encode(), forbidden


def spellings(secret: str) -> Iterator[bytes]:
    """How a secret may look in an output: as it is, for URLs, in base64 at three places, in UTF-16."""
    yield secret.encode()
    yield quote(secret, safe="").encode()
    yield secret.encode("utf-16-le")
    yield secret.encode().hex().encode()
    for shift in range(3):
        coded = b64encode(b"\0" * shift + secret.encode())
        yield coded[4 if shift else 0 : len(coded) - 4]
