import pytest

from mcptap.masking.argv import header_secret, secret_spans


def shown(*argv):
    words = list(argv)
    for i, start, end in secret_spans(argv):
        words[i] = words[i][:start] + "▒" + words[i][end:]
    return words


@pytest.mark.parametrize(
    ("argv", "masked"),
    [
        (["srv", "--api-key=S1"], ["srv", "--api-key=▒"]),
        (["srv", "--token", "S1", "--port", "1"], ["srv", "--token", "▒", "--port", "1"]),
        (["srv", "-apikey", "S1"], ["srv", "-apikey", "▒"]),
        (["c", "-H", "Authorization: Bearer S1"], ["c", "-H", "Authorization: Bearer ▒"]),
        (["c", "--header=X-API-Key: S1"], ["c", "--header=X-API-Key: ▒"]),
        (["c", "-HCookie: a=S1"], ["c", "-HCookie: ▒"]),
        (["/usr/bin/curl", "-u", "u:p"], ["/usr/bin/curl", "-u", "u:▒"]),
        (["curl", "-uu:p"], ["curl", "-uu:▒"]),
        (["env", "API_KEY=S", "npx"], ["env", "API_KEY=▒", "npx"]),
        (["srv", "Pwd=S"], ["srv", "Pwd=▒"]),
        (["mysql", "-pS1"], ["mysql", "-p▒"]),
        (["sshpass", "-p", "S1", "ssh"], ["sshpass", "-p", "▒", "ssh"]),
        (["redis-cli", "-a", "S1"], ["redis-cli", "-a", "▒"]),
        (["srv", "/password:S1"], ["srv", "/password:▒"]),
        (["java", "-Ddb.password=S1"], ["java", "-Ddb.password=▒"]),
        (["srv", "config", "set", "api_key", "S1"], ["srv", "config", "set", "api_key", "▒"]),
        (["srv", "--password", "'S 1'"], ["srv", "--password", "'▒'"]),
        (["srv", "--password=%abc123%"], ["srv", "--password=▒"]),
        (["srv", "--token", "-4f8a2b9c1"], ["srv", "--token", "▒"]),
        (["curl", "-sSu", "u:p"], ["curl", "-sSu", "u:▒"]),
        (["java", "-Dapi.key=S1"], ["java", "-Dapi.key=▒"]),
        (["p", "--headers", "X-Api-Key", "S1"], ["p", "--headers", "X-Api-Key", "▒"]),
        (["p", "-e", "TOKEN", "S1"], ["p", "-e", "TOKEN", "▒"]),
        (["bwrap", "--setenv", "TOKEN", "S1"], ["bwrap", "--setenv", "TOKEN", "▒"]),
    ],
)
def test_secrets_are_found_by_options_variables_and_headers(argv, masked):
    assert shown(*argv) == masked


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["srv", "--token", "${TOKEN}", "--api-key=$KEY", "--password=${env:PW}"],
        ["srv", "--max-tokens", "4000", "--token-file", "/run/x", "--password-stdin", "--key", "server.key"],
        ["docker", "run", "-p", "8080:80", "-u", "1000:1000", "img"],
        ["ssh", "-p", "2222", "host"],
        ["docker", "run", "-e", "API_KEY", "img", "--env", "TOKEN", "--rm"],
        ["curl", "-su", "user", "https://h/x"],
        ["node", "-e", "const x=1"],
        ["python", "-u", "server.py"],
        ["srv", "--token", "--verbose"],
        ["env", "PWD=/home/me", "srv"],
        ["srv", "--token"],
        ["curl", "-H", "Accept: text/html", "-H", "Authorization: Bearer ${TOKEN}"],
    ],
)
def test_ordinary_words_and_placeholders_stay(argv):
    assert shown(*argv) == argv


def test_a_header_keeps_its_scheme():
    assert header_secret("Authorization: Bearer abc") == (22, 25)
    assert header_secret("Accept: a") is None
    assert header_secret("no header") is None
