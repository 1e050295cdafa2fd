import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.masking.texts import find


def shown(text, **how):
    for start, end, _ in reversed(find(text, **how)):
        text = text[:start] + "▒" + text[end:]
    return text


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("MY_API_KEY=abc", "MY_API_KEY=▒"),
        ("export TOKEN='a b'", "export TOKEN='▒'"),
        ("password: hunter2", "password: ▒"),
        ("  db_password: swordfish\nx: 1", "  db_password: ▒\nx: 1"),
        ("Server=d;Uid=s;Pwd=a!b;Database=x", "Server=d;Uid=s;Pwd=▒;Database=x"),
        ("AccountKey=a+/b==;X=y", "AccountKey=▒;X=y"),
        ("Authorization: Bearer abc", "Authorization: Bearer ▒"),
        ("Authorization: abc", "Authorization: ▒"),
        ("> Cookie: a=b; c=d\n> Host: x", "> Cookie: ▒\n> Host: x"),
        ("'Authorization': 'Bearer abc', 'x': 1", "'Authorization': 'Bearer ▒', 'x': 1"),
        ("Bearer abc", "Bearer ▒"),
        ("sent Bearer abc123 there", "sent Bearer ▒ there"),
        ("Basic dXNlcjpwYXNz", "Basic ▒"),
        ("postgres://u:p@h/x", "postgres://u:▒@h/x"),
        ("redis://:p@h", "redis://:▒@h"),
        ("https://h/?a=1&api_key=b&c=d", "https://h/?a=1&api_key=▒&c=d"),
        ("https://h/?key=b", "https://h/?key=▒"),
        ("<a href='https://h/?a=1&amp;token=b'>", "<a href='https://h/?a=1&amp;token=▒'>"),
        ("https://h/?to=https%3A%2F%2Fx%3Ftoken%3Db", "https://h/?to=▒"),
        ("curl -u u:p https://h", "curl -u u:▒ https://h"),
        ("with --token abc123 it", "with --token ▒ it"),
        ('{"password":"a\\"b","x":1', '{"password":"▒","x":1'),
        ('{\\"password\\":\\"a\\\\\\"b\\",\\"x\\":1', '{\\"password\\":\\"▒\\",\\"x\\":1'),
        ('"name":"API_KEY","value":"a"', '"name":"API_KEY","value":"▒"'),
        ("\x1b[33mTOKEN\x1b[0m=abc", "\x1b[33mTOKEN\x1b[0m=▒"),
        ("a\\nTOKEN=abc", "a\\nTOKEN=▒"),
        ("dump dG9rZW49aHVudGVyMg== end", "dump ▒ end"),
        ("the password=hunter2, or not", "the password=▒, or not"),
        ("Using access token q7Rz0pLm3X.", "Using access token ▒."),
        ("Incorrect API key provided: q7Rz0pLm3X", "Incorrect API key provided: ▒"),
        ("token -> q7Rz0pLm3X", "token -> ▒"),
        ("<password>q7Rz0pLm3X</password>", "<password>▒</password>"),
        ('<add key="Token" value="abc"/>', '<add key="Token" value="▒"/>'),
        ("- name: API_KEY\n  value: abc", "- name: API_KEY\n  value: ▒"),
        ("openai.api.key=abc", "openai.api.key=▒"),
        (f"https://discord.com/api/webhooks/123/{'aB3' * 9}", "https://discord.com/api/webhooks/▒"),
        (f"https://t.example/bot12345678:AA{'aB3' * 11}/x", "https://t.example/bot▒/x"),
    ],
)
def test_secrets_are_found_by_what_stands_around_them(text, masked):
    assert shown(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        *(
            "a token of thanks",
            "the secret garden",
            "password",
            "The token: a string that names you",
            "key: PROJ-12",
        ),
        "token = get_token()",
        "password=password",
        "const token = await next()",
        "if token == 'a': pass",
        *(
            "token: str = None",
            "token?: string;",
            "secret=os.environ['X']",
            "secret: SecretStr",
            "self.token = token",
        ),
        "Bearer token",
        "bearer of bad news",
        "Basic authentication",
        "Authorization header is required",
        *(
            "Authorization: Bearer <token>",
            "cookie: chocolate",
            "--token TOKEN  the token",
            "Use `--api-key <key>`",
        ),
        *(
            "maxTokens: 100",
            "max_tokens=4096",
            "total_tokens: 15321",
            "nextPageToken=abcdef12345",
            "primary_key=a1b2c3d4",
        ),
        *(
            "PWD=/home/me",
            "Pwd: /home",
            "http://h:80/p?email=a@b.c",
            "https://h/?page=2&id=7",
            "me@example.com",
        ),
        *(
            "API_KEY=${API_KEY}",
            "token=$TOKEN",
            "Bearer ${TOKEN}",
            "https://u:${PASS}@h/",
            "password must be 8 signs",
        ),
        *(
            "password: string",
            "auth: oauth2",
            "signature: def f(x: int)",
            "Token: expired",
            "token: 2026-01-01",
        ),
        "ask('Password: ')",
        "Unexpected token 'Server2024x1', is not valid JSON",
        "the token is at /run/secrets/abc123def, of 2026-01-01T00:00:00Z",
        "- name: weather\n  value: abc123def456",
        "the token for project-2024-12 and the password policy2024-rules",
        "the primary key abc123def456 is taken; max token 123456789abc",
        "the api key: see https://docs.x/12",
        "task-runner-with-a-long-name",
        "",
    ],
)
def test_ordinary_text_stays(text):
    assert shown(text) == text


@pytest.mark.parametrize("text", ["--password hunter", "TOKEN = abc", "Bearer abc"])
def test_in_a_command_any_value_counts(text):
    assert "▒" in shown(text, in_command=True)


PROSE = (
    "the a token key secret password author keyboard cookie session bearer basic auth of is for and to: was, "
    "(see) found; failed. in user line file with tokens keys pass"
)
WORDS = st.sampled_from(sorted(set(PROSE.split())))


@given(st.lists(WORDS, max_size=30).map(" ".join))
def test_prose_about_secrets_stays(text):
    assert shown(text) == text


@given(st.text(max_size=300))
def test_what_is_found_lies_in_the_text_in_order_and_apart(text):
    done = 0
    for start, end, kind in find(text):
        assert done <= start < end <= len(text)
        assert kind
        done = end


@pytest.mark.parametrize(
    "piece",
    [
        "token=",
        "token:",
        "\\",
        "a]",
        "://a:",
        "eyJ",
        "-eyJ",
        "sk-",
        "-----BEGIN PRIVATE KEY-----",
        "Cookie: a=",
        '\\"token\\":\\"',
        "password \t",
        "%3d",
        "token=((",
        "token=a,",
        "token=a;",
        "Bearer a ",
        "Authorization: ",
    ],
)
def test_no_text_takes_more_than_time_linear_in_its_length(piece):
    # A pattern that goes back and forth would take hours for this; linear ones take about a second.
    find((piece * 100_000)[:100_000])
