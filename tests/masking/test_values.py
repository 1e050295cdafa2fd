import pytest

from mcptap.masking.values import is_secret, looks_random, says_nothing, unsigned


@pytest.mark.parametrize(
    "value", ["${X}", "${env:X}", "${input:api-key}", "$X", "$MY_TOKEN", "${{ secrets.X }}"]
)
def test_what_nobody_filled_in_is_no_secret(value):
    assert says_nothing(value)
    assert not is_secret("password", value)


@pytest.mark.parametrize("value", ["%abc123%", "${X:-abc123}", "$ecret1", "$", "x", "${a}b", "${", "$$$1"])
def test_a_value_is_no_placeholder_by_its_looks_alone(value):
    assert value == "$" or is_secret("password", value)


@pytest.mark.parametrize(
    "value", ["", "***", "<redacted>", "null", "true", "required", "‹masked:abc123›", "xxxx"]
)
def test_words_about_a_secret_are_none(value):
    assert not is_secret("token", value)


def test_a_mask_with_more_behind_it_is_no_mask():
    assert is_secret("token", "‹masked:abc123› and more")


def test_a_folder_is_no_password():
    assert not is_secret("pwd", "/home/me/project")
    assert is_secret("pwd", "hunter2")


def test_what_a_machine_made_has_letters_and_digits_and_no_space():
    assert looks_random("a8f5f167f44f")
    assert not looks_random("swordfish")
    assert not looks_random("version 12 of it")


def test_without_its_signs_a_text_stays_the_same_from_one_output_to_the_next():
    assert unsigned("a ‹masked:abc123› b ‹masked:000000›") == "a ‹masked› b ‹masked›"
    assert unsigned("plain") == "plain"
