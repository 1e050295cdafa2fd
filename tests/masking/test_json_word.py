from mcptap.masking.json_word import places_in_json


def test_all_spellings_of_a_secret_are_found_and_short_ones_only_alone():
    word = '{"password": "ab\\u00fc1", "b": "x abü1 y", "token": "zz", "c": "fizz", "d": "zz"}'
    found = [word[start:end] for start, end in places_in_json(word, lambda _: [])]
    assert found == ["ab\\u00fc1", "abü1", "zz", "zz"]


def test_what_is_no_json_has_no_places():
    assert places_in_json("{password: x}", lambda _: []) is None
    assert places_in_json('{"a": [1, null, "b"]}', lambda _: []) == []
