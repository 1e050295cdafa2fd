import json
import random
from pathlib import Path

import pytest

from mcptap.masking.masker import Masker
from tests.masking.planting import any_secret, argv_with, message_with, spellings

REAL = sorted(
    path
    for folder in ("tests/diagnosis/real", "tests/play/recordings", "recordings")
    for path in (Path(__file__).parents[2] / folder).rglob("*.jsonl")
)


def test_of_2000_planted_secrets_none_comes_through():
    chance, masker = random.Random(20), Masker()
    for i in range(2000):
        if i % 4:
            data, secrets = message_with(chance)
            made = masker.data(data)
        else:
            secrets = [any_secret(chance)]
            made = "\0".join(masker.argv(argv_with(chance, secrets[0]))).encode()
        for secret in secrets:
            assert not [spelled for spelled in spellings(secret) if spelled in made], (secret, made)


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_recordings_of_real_sessions_hold_no_secret_and_stay_as_they_are(path):
    masker = Masker()
    for line in path.read_bytes().splitlines():
        assert masker.data(line) == line
    assert masker.words() == ""


def test_equal_secrets_look_equal_in_one_output_and_others_do_not():
    masker = Masker()
    one = masker.value({"password": "hunter2", "token": "hunter3"})
    assert masker.text("password=hunter2") == f"password={one['password']}"
    assert masker.argv(["x", "--token", "hunter3"])[2] == one["token"] != one["password"]


def test_a_mask_tells_nothing_without_the_key():
    one, other = (Masker(key).text("password=hunter2") for key in (b"a" * 16, b"b" * 16))
    assert one != other
    assert one.startswith("password=‹masked:")
    assert one.endswith("›")
    assert len(one) == len("password=‹masked:abcd12›")


def test_masked_text_stays_the_same_when_it_is_masked_again():
    masker = Masker()
    once = masker.text('Authorization: Bearer abc123\n{"password":"x y"} --token abc123def')
    assert masker.text(once) == once


def test_what_was_masked_is_counted_by_kind():
    masker = Masker()
    masker.value({"password": "a", "apiKey": "b", "x": "ghp_abcdefghijklmnopqrstuvwxyz"})
    assert masker.words() == 'token ×1, value of "apiKey" ×1, value of "password" ×1'


def test_bytes_without_secrets_stay_as_they_are_spelled():
    for data in (b'{ "a" : 1.0 }', b"\xff\xfe\x00", b"", b"plain\r", '{"ü":"\\u00fc"}'.encode()):
        assert Masker().data(data) == data


def test_bytes_around_a_secret_stay_whatever_they_are():
    made = Masker().data(b"\xff password=hunter2 \xfe")
    assert made.startswith(b"\xff password=")
    assert made.endswith(b" \xfe")
    assert b"hunter2" not in made


def test_json_in_a_text_in_json_is_taken_apart():
    inner = json.dumps({"headers": {"Authorization": ["hunter2"]}})
    made = Masker().data(json.dumps({"a": json.dumps({"b": f"got {inner} then"})}).encode())
    assert b"hunter2" not in made
    assert json.loads(json.loads(json.loads(made)["a"])["b"][4:-5])["headers"]["Authorization"][0].startswith(
        "‹"
    )


def test_secrets_of_the_command_line_are_masked_wherever_they_come_up():
    masker = Masker()
    masker.learn(["srv", "--token", "abcd1234efgh", "--password", "word"])
    assert "abcd1234efgh" not in masker.text("login with abcd1234efgh failed, word for word")
    assert "word for word" in masker.text("login with abcd1234efgh failed, word for word")


def test_a_private_key_that_comes_line_by_line_is_masked_line_by_line():
    masker = Masker()
    lines = [
        b"-----BEGIN PRIVATE KEY-----",
        b"MIIEvQIBADANBgkqhkiG9w0BAQEF",
        b"-----END PRIVATE KEY-----",
        b"MIIEready",
    ]
    made = [masker.line("stderr", line) for line in lines]
    assert b"MIIE" not in made[1]
    assert made[3] == b"MIIEready"
    assert Masker().line("stderr", lines[1]) == lines[1]


def test_a_script_for_a_shell_is_masked_as_commands():
    made = Masker().argv(["bash", "-c", "API_KEY=abc node x.js --password hunter --port 1"])
    assert made[2].startswith("API_KEY=‹masked:")
    assert "hunter" not in made[2]
    assert made[2].endswith(" --port 1")
    assert " node x.js " in made[2]


def test_the_quick_look_knows_what_was_learnt_and_where_a_private_key_goes_on():
    masker = Masker(b"k")
    assert masker.holds_nothing(b"the word abcd1234efgh", "s2c")
    masker.learn(["srv", "--token", "abcd1234efgh"])
    assert not masker.holds_nothing(b"the word abcd1234efgh", "s2c")
    other = Masker(b"k")
    other.learn(Masker(b"k").argv(["srv", "--token", "abcd1234efgh"]))
    assert not other.holds_nothing(b'{"a":"see\\nabcd1234efgh"}', "s2c")
    assert other.holds_nothing(b'{"a":"see\\nabcd1234efgx"}', "s2c")
    other.line("s2c", b"-----BEGIN RSA PRIVATE KEY-----")
    assert not other.holds_nothing(b"abc", "s2c")
    assert other.holds_nothing(b"abc", "c2s")


def test_utf_16_that_was_cut_in_the_middle_of_a_sign_is_masked():
    data = 'password: "hunter22x"'.encode("utf-16-le")
    assert "hunter22x".encode("utf-16-le") not in Masker().data(data[:-1])
    assert Masker().data(b"a\0\0\xd8b\0c\0d\0\xff") == b"a\0\0\xd8b\0c\0d\0\xff"


def test_a_quotation_of_what_was_masked_before_has_its_masks_also_where_it_is_cut():
    masker = Masker(b"k")
    mask = masker.argv(["srv", "--token", "abcd1234efgh"])[2]
    assert (
        masker.quotation('it said abcd1234efgh and "abcd12…" and x…')
        == f'it said {mask} and "{mask}…" and x…'
    )


def test_a_secret_is_found_in_json_whose_quotes_became_single_in_a_sentence():
    json_text = "{'credentials': {'username': 'bob', 'value': 'kr7qw2fBOhc4Om7GfymkWV2L'}}"
    sentence = f"The server's reply never came: \"{json_text}{json_text[:20]}\" isn't JSON."
    masked = Masker().quotation(sentence)
    assert "kr7qw2" not in masked
    assert "'bob'" in masked
    assert masked.startswith("The server's reply never came: ")
    plain = 'It said "don\'t" and {\'a\': "b"}.'
    assert Masker().quotation(plain) == plain
