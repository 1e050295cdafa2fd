"""One list for the tap and for all that shows a command line."""

import json

import pytest

from mcptap.masking.command_line import secret_places

S = "Plnt3dS3cret9x"


def shown(*argv):
    words = list(argv)
    for at, start, end in reversed(secret_places(argv)):
        words[at] = words[at][:start] + "▒" + words[at][end:]
    return words


@pytest.mark.parametrize(
    ("argv", "masked"),
    [
        (["env", "-i", f"FOO={S}", "npx"], ["env", "-i", "FOO=▒", "npx"]),
        (["env", "-u", "X", f"FOO={S}", "npx"], ["env", "-u", "X", "FOO=▒", "npx"]),
        (["sudo", "-u", "me", f"FOO={S}", "npx"], ["sudo", "-u", "me", "FOO=▒", "npx"]),
        (["cmd", "/c", f"set FOO={S}&& npx"], ["cmd", "/c", "set FOO=▒&& npx"]),
        (["inspect", "-e", f"FOO={S}"], ["inspect", "-e", "FOO=▒"]),
        (["systemd-run", f"--setenv=FOO={S}"], ["systemd-run", "--setenv=FOO=▒"]),
        (["docker", "run", "-e", f"FOO={S}", "img"], ["docker", "run", "-e", "FOO=▒", "img"]),
        (["docker", "run", f"-eFOO={S}"], ["docker", "run", "-eFOO=▒"]),
        (["x", "--env", f"FOO={S}"], ["x", "--env", "FOO=▒"]),
        (["x", f"--env=FOO={S}"], ["x", "--env=FOO=▒"]),
        (["x", "--header", f"Authorization:Bearer {S}"], ["x", "--header", "Authorization:Bearer ▒"]),
        (["x", f"-Dtoken={S}", f"-Pa.token={S}"], ["x", "-Dtoken=▒", "-Pa.token=▒"]),
        (["x", f"--pat={S}", "--pw", S], ["x", "--pat=▒", "--pw", "▒"]),
        (["x", f"https://u:{S}@h/?key={S}&a=1"], ["x", "https://u:▒@h/?key=▒&a=1"]),
        (["x", f"https://h/api/s/{S}{S}/mcp"], ["x", "https://h/api/s/▒/mcp"]),
        (["sh", "-c", f"FOO={S} cmd"], ["sh", "-c", "FOO=▒ cmd"]),
        (["sh", "-c", f"cd /x; mysql -p{S} db"], ["sh", "-c", "cd /x; mysql -p▒ db"]),
        (["sh", "-c", f"a && docker run -e 'X={S}' i"], ["sh", "-c", "a && docker run -e 'X=▒' i"]),
        (["sh", "-c", f'srv --token "{S} b" --x'], ["sh", "-c", 'srv --token "▒" --x']),
        ([f"API_KEY={S} npx foo"], ["API_KEY=▒ npx foo"]),
        (["x", f'{{"password":["{S}"]}}'], ["x", '{"password":["▒"]}']),
        (["x", f'{{"password": {{"value": "{S}"}}}}'], ["x", '{"password": {"value": "▒"}}']),
        (["x", f'{{"args":["--token","{S}"]}}'], ["x", '{"args":["--token","▒"]}']),
        (["x", json.dumps({"pin": 1, "password": "ü\n"})], ["x", '{"pin": 1, "password": "▒"}']),
        (["x", '{"password":123456789}'], ["x", '{"password":▒}']),
        (["x", "--token", f"${{TOKEN:-{S}}}"], ["x", "--token", "${TOKEN:-▒}"]),
        (["x", "--token=%abc123%"], ["x", "--token=▒"]),
        (["x", "--password", "\udcff\udcfea"], ["x", "--password", "▒"]),
    ],
)
def test_each_secret_is_found_and_nothing_beside_it(argv, masked):
    assert shown(*argv) == masked


@pytest.mark.parametrize(
    "argv",
    [
        [
            "env",
            "DEBUG=1",
            "LOG_LEVEL=debug",
            "CONFIG=/etc/x.json",
            "PATH=/bin1:/x2y",
            "URL=https://h/1",
            "npx",
        ],
        ["x", "--token", "%API_KEY%", "--api-key=%OPENAI_API_KEY%", "--password", "%USERPROFILE%"],
        ["x", "--token", "${TOKEN}", "--token", "$TOKEN", "--token", "${env:TOKEN}", "--token", "${input:a}"],
        ["env", "API_KEY=${API_KEY}", "npx"],
        ["git", "clone", "https://h/x/0123456789abcdef0123456789abcdef01234567/y"],
        ["x", '{"progressToken": "abc12345", "name": "secret-server"}'],
        ["x", "{not json}", "[", "{}"],
        ["x", "--prompt", "say what a token is, and where the password goes"],
    ],
)
def test_ordinary_values_and_placeholders_stay(argv):
    assert shown(*argv) == argv
