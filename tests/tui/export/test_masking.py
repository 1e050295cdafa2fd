import pytest

from mcptap.jsontext.tree import parse
from mcptap.tui.export.masking import MASK, Masker


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Authorization: Bearer abcdefghijklmnop1234", "bearer token"),
        ("key sk-" + "a1b2" * 6, "API key"),
        ("ghp_abcdefghijklmnopqrstuvwxyz012345", "GitHub token"),
        ("AKIAABCDEFGHIJKLMNOP", "AWS key"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-DEF_123", "JSON web token"),
        ("postgres://admin:hunter2@db/x", "password in a URL"),
        ("https://x.example/y?access_token=abcdef&z=1", "secret parameter"),
        ("MY_API_KEY=abcdef123456", "secret setting"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "private key"),
    ],
)
def test_what_looks_like_a_secret_is_masked_and_counted(text, kind):
    masker = Masker()
    masked = masker.text(text)
    assert MASK in masked
    assert masker.masked[kind] == 1


@pytest.mark.parametrize(
    "text",
    ["a token of thanks", "the secret garden", "https://x.example/y?page=2", "task-runner", "password"],
)
def test_ordinary_text_stays(text):
    masker = Masker()
    assert masker.text(text) == text
    assert not masker.masked


def test_values_of_telling_keys_are_masked_at_any_depth():
    masker = Masker()
    value = parse(b'{"a":[{"apiKey":"x","password":"y","name":"z"}],"Authorization":"t"}')
    assert masker.value(value) == parse(
        b'{"a":[{"apiKey":"***","password":"***","name":"z"}],"Authorization":"***"}'
    )
    assert masker.words() == 'value of "Authorization" ×1, value of "apiKey" ×1, value of "password" ×1'


def test_keys_of_the_protocol_are_no_secrets():
    masker = Masker()
    value = parse(b'{"_meta":{"progressToken":7},"maxTokens":100,"nextCursor":"abc"}')
    assert masker.value(value) == value
    assert masker.words() == ""


def test_the_name_of_a_setting_stays():
    assert Masker().text("GITHUB_TOKEN=abcdefgh") == "GITHUB_TOKEN=***"
