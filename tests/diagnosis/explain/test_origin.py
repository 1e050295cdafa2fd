"""Where stray lines come from, and why servers end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.diagnosis.explain.origin import origin_of, reason_of_end


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Content-Length: 52", "Content-Length headers"),
        ("> weather@1.0.0 start", "npm or yarn"),
        ("[dotenv@17.2.1] injecting env (3) from .env", "dotenv"),
        ("info: Microsoft.Hosting.Lifetime[14]", ".NET"),
        ("Traceback (most recent call last):", "Python traceback"),
        ("    at Object.<anonymous> (/srv/x.js:3:7)", "JavaScript stack trace"),
        ("added 57 packages in 3s", "package installer"),
        ("Requirement already satisfied: mcp", "package installer"),
        ("Weather server running on stdio", "start-up message"),
        ("\x1b[32mok\x1b[0m", "coloured"),
        ("2026-01-02 10:11:12 loading", "a logger"),
        ("INFO loading", "a logger"),
        ("Active code page: 65001", "chcp"),
    ],
)
def test_a_line_is_known_by_how_it_looks(text: str, words: str):
    assert words in origin_of(text)


@pytest.mark.parametrize("text", ["", "hello", "The information is serving nobody", "Tracing"])
def test_what_looks_like_nothing_known_is_not_explained(text: str):
    assert origin_of(text) == ""


@pytest.mark.parametrize(
    ("telling", "words"),
    [
        ("Error: Cannot find module '/srv/x.js'", "/srv/x.js is not found"),
        ("ModuleNotFoundError: No module named 'mcp.server'", "Python cannot import mcp.server"),
        (
            "npm ERR! code E404: Not Found - GET https://x/y; 'notse-mcp@*' is not in this registry.",
            "no package notse-mcp:",
        ),
        ("Because notse-mcp was not found in the package registry and you require", "no package notse-mcp:"),
        ("npm error code EACCES: syscall mkdir", "npm failed with EACCES"),
        (
            "/usr/bin/x:8: RuntimeWarning: coroutine 'main' was never awaited",
            "main() was called as if it were no coroutine",
        ),
        ("SyntaxError: Unexpected end of JSON input", "what it read as JSON is none"),
        ("json.decoder.JSONDecodeError: Expecting value: line 1", "what it read as JSON is none"),
        ("FileNotFoundError: data.json", "a file is missing"),
        ("Permission denied", "permission was denied"),
        ("Error: listen EADDRINUSE: address already in use :::3000", "its port is taken"),
        ("bash: line 1: {jsonrpc:2.0,id:0: command not found", "a shell was started"),
        ("bash: line 1: jsonrpc:2.0: command not found", "a shell was started"),
        (
            "npm error code E404: Not Found; The requested resource '@a/b-mcp@*' could not be found",
            "no package @a/b-mcp:",
        ),
        ("the input device is not a TTY", "`-t` asks for a terminal"),
        ("docker: Cannot connect to the Docker daemon at unix:///x.", "the container engine does not run"),
        ("ada@scales: Permission denied (publickey).", "ssh cannot ask anybody"),
        ("libc.so.6: version `GLIBC_2.38' not found (required by ./server)", "does not suit the version"),
    ],
)
def test_an_end_is_explained_by_the_telling_line_whatever_its_status(telling: str, words: str):
    assert words in reason_of_end(telling, 137)


@pytest.mark.parametrize(
    ("telling", "words"),
    [
        ("/usr/bin/python3: No module named mcp_server_weather", "import mcp_server_weather:"),
        ("ModuleNotFoundError: No module named 'mcp.server'", "import mcp.server:"),
        ("env: ‘weather-mcp’: No such file or directory", "no command weather-mcp on the PATH"),
        ("env: weather-mcp: No such file or directory", "no command weather-mcp on the PATH"),
        (r"/usr/bin/env: ‘python3\r’: No such file or directory", "CR LF"),
        ("sh: 1: {jsonrpc:: not found", "a shell was started"),
        ("error: No interpreter found for Python >=3.13 in managed installations", "the version"),
    ],
)
def test_what_is_missing_is_named_whole(telling: str, words: str):
    assert words in reason_of_end(telling, 1)


@pytest.mark.parametrize(
    "telling",
    [
        "FATAL: licence expired on 2026-11-01",
        "SyntaxError: '(' was never closed",
        "SyntaxError: Unexpected token 'export'",
        'TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string. Received undefined',
        "Error: CUSTOMER_ID is required",
    ],
)
def test_a_line_is_not_explained_by_what_it_does_not_say(telling: str):
    assert reason_of_end(telling, 1) == ""


@pytest.mark.parametrize("code", [126, 127, 137, 139, 9009])
def test_a_status_with_a_meaning_explains_an_end_without_words(code: int):
    assert reason_of_end("bye", code).startswith(f"{code} means")


@pytest.mark.parametrize("code", [None, 0, 1, 255])
def test_an_end_without_a_sign_is_not_explained(code: int | None):
    assert reason_of_end("", code) == ""


@given(st.text(max_size=60), st.none() | st.integers(0, 255))
def test_no_text_is_too_odd_and_what_is_quoted_stood_in_it(text: str, code: int | None):
    assert isinstance(origin_of(text), str)
    assert "{" not in reason_of_end(text, code) or "{" in text
