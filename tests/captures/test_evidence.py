"""What a capture can prove."""

from dataclasses import fields

from mcptap.captures.evidence import COMPLETE, PROVABLE, Evidence


def test_all_that_can_be_proven_has_words_for_where_it_is_not():
    assert list(PROVABLE) == [field.name for field in fields(Evidence) if field.type == "bool"]
    assert Evidence(**dict.fromkeys(PROVABLE, False)).unknown == list(PROVABLE.values())
    assert COMPLETE.unknown == []
