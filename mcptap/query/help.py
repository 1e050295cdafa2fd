"""The language explained, made from the table of fields."""

from __future__ import annotations

from textwrap import wrap

from mcptap.query.fields import FIELDS, Field, Fields, Values

LANGUAGE = """\
A filter is made of terms. Terms side by side must all match; `or`, `not`, a
leading `-` and parentheses combine them. A word without a field is searched for
as text; quotes hold together what has spaces or other signs in it.
"""

_INDENT = " " * 22
_FORMS = {
    Values.PATTERN: "in any case; * and ? stand for any characters; a,b: either",
    Values.COUNT: "17, >17, >=17, <17, <=17, 10..20, 10.., ..20",
    Values.SIZE: "100k, >100k, >=100k, <100k, <=100k, 1k..2k",
    Values.DURATION: ">1s, >=1s, <1s, <=1s, 1s..2s, 1s.., ..2s",
    Values.TEXT: "anywhere in the line",
}


def field_help(field: Field) -> str:
    """What a field matches and which values it takes, on one line."""
    return f"{field.help}: {value_help(field)}"


def value_help(field: Field) -> str:
    """Which values a field takes."""
    return ", ".join(field.words) if field.words else _FORMS[field.values]


def help_page(fields: Fields = FIELDS) -> str:
    """The whole language as text for a terminal of 80 columns."""
    rows = []
    for field in fields.values():
        rows.append(f"  {field.example:19} {field.help}")
        rows += wrap(value_help(field), 78, initial_indent=_INDENT, subsequent_indent=_INDENT)
    return LANGUAGE + "\n" + "\n".join(rows) + "\n"
