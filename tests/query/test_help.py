"""The language explained."""

from __future__ import annotations

from mcptap.query import FIELDS, field_help, help_page, parse
from mcptap.query.help import value_help


def test_every_example_of_the_table_is_a_filter() -> None:
    for field in FIELDS.values():
        assert not parse(field.example).is_empty
        assert field.name in help_page()
        assert field.help in field_help(field)


def test_the_help_page_fits_80_columns() -> None:
    assert max(map(len, help_page().splitlines())) <= 80


def test_a_field_of_words_lists_them_and_any_other_shows_forms() -> None:
    assert value_help(FIELDS["dir"]) == "c2s, s2c, stderr"
    assert all(value_help(field) for field in FIELDS.values())


def test_a_number_form_that_is_shown_is_understood() -> None:
    for field in FIELDS.values():
        if not field.words and ".." in value_help(field):
            for form in value_help(field).split(", "):
                assert not parse(f"{field.name}:{form}").is_empty
