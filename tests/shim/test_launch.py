"""The header tells how the server was started, and no secret."""

import json

import pytest

from mcptap.shim.launch import Launch


def header(environ: dict[bytes, bytes], argv: list[bytes] | None = None) -> dict:
    return json.loads(Launch(argv or [b"server"], None, environ, "server").header(locked=True))


def test_only_harmless_variables_have_their_values_in_the_header():
    env = header(
        {b"PATH": b"/bin", b"HOME": b"/home/me", b"API_TOKEN": b"hunter2", b"NODE_AUTH_TOKEN": b"s3cret"}
    )
    assert env["env"]["names"] == ["PATH", "HOME", "API_TOKEN", "NODE_AUTH_TOKEN"]
    assert env["env"]["values"] == {"PATH": "/bin", "HOME": "/home/me"}
    assert "hunter2" not in json.dumps(env)
    assert "s3cret" not in json.dumps(env)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (b"${API_TOKEN}", "${API_TOKEN}"),
        (b"${API_TOKEN:-s3cret}", "${API_TOKEN}"),
        (b"${API_TOKEN}s3cret", "${API_TOKEN}"),
        (b"%API_TOKEN%", "%API_TOKEN%"),
        (b"~/s3cret", "~/"),
    ],
)
def test_a_variable_that_nobody_filled_in_shows_its_placeholder_alone(value: bytes, shown: str):
    fields = header({b"THEIRS": value})
    assert fields["env"]["placeholders"] == {"THEIRS": shown}
    assert "s3cret" not in json.dumps(fields)


@pytest.mark.parametrize("value", [b"plain", b"$HOME", b"50%", b"a ${B}", b"~user", b""])
def test_an_ordinary_value_is_no_placeholder(value: bytes):
    assert header({b"THEIRS": value})["env"]["placeholders"] == {}


def test_arguments_that_are_not_utf8_are_kept_exactly():
    assert header({}, [b"server", b"\xff\xfe", "ü".encode()])["argv"] == ["server", {"b64": "//4="}, "ü"]
