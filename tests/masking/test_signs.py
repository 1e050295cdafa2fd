from mcptap.masking.signs import Signs
from mcptap.masking.values import is_mask


def test_equal_secrets_have_equal_masks_under_one_key():
    one, same, other = Signs(b"a" * 32), Signs(b"a" * 32), Signs(b"b" * 32)
    assert one.mask("hunter2") == same.mask("hunter2") == one.of("hunter2")
    assert one.mask("hunter2") != other.mask("hunter2")
    assert is_mask(one.mask("hunter2"))


def test_without_a_key_a_new_one_is_taken():
    assert Signs().mask("hunter2") != Signs().mask("hunter2")


def test_no_two_secrets_look_equal():
    signs = Signs(b"k")
    masks = {signs.mask(str(number)) for number in range(20_000)}
    assert len(masks) == 20_000
    assert {len(mask) for mask in masks} > {len("‹masked:abcd12›")}


def test_bytes_that_are_no_utf8_and_lone_surrogates_have_a_sign():
    assert is_mask(Signs().mask("\udcff\udcfe"))
    assert is_mask(Signs().mask("\ud800"))
