import random

import pytest

from mcptap.masking.shapes import shapes_in
from tests.masking.planting import pem, shaped_secret


def test_each_known_form_is_found_whole_wherever_it_stands():
    chance = random.Random(1)
    for _ in range(300):
        secret = shaped_secret(chance)
        for before, after in (("", ""), ("x ", "."), ('"', '"'), ("key=", "\n"), ("\\n", "\\n"), ("(", ")")):
            spans = shapes_in(before + secret + after)
            assert any(s <= len(before) and e >= len(before) + len(secret) for s, e, _ in spans), secret


def test_a_secret_that_was_cut_is_found():
    assert shapes_in("ghp_abcd…")
    assert shapes_in('"eyJhbGciOiJI…"')
    assert not shapes_in("ghp_abcd")


def test_a_private_key_is_found_to_its_end_or_to_that_of_the_text():
    key, _ = pem(random.Random(2))
    assert shapes_in(f"a\n{key}\nb") == [(2, 2 + len(key), "private key")]
    assert shapes_in(key[:-40]) == [(0, len(key) - 40, "private key")]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "sk-learn-and-other-long-names",
            "task-runner",
            "eyJust a word",
            "hf_",
            "AKIA",
            "-----BEGIN CERTIFICATE-----",
        ),
        *(
            "github_pattern",
            "asking-for-a-friend",
            "550e8400-e29b-41d4-a716-446655440000",
            "d41d8cd98f00b204e9800998",
        ),
    ],
)
def test_other_words_are_no_shapes(text):
    assert shapes_in(text) == []
