"""The filter language that `show`, `check` and the TUI share.

    parse('tool:read_* latency:>1s or status:unanswered').matches(row)

A query is terms with `and` (or only a space), `or`, `not`, a leading `-`, and parentheses.
A term is `field:value` or a piece of text; the fields are in the table `FIELDS`, from which
help pages and completion are made.
"""

from mcptap.query.completion import Completion, complete, written
from mcptap.query.fields import FIELDS, Field, Fields, RecordKind, Row
from mcptap.query.help import field_help, help_page
from mcptap.query.parser import Query, QueryError, parse

__all__ = [
    "FIELDS",
    "Completion",
    "Field",
    "Fields",
    "Query",
    "QueryError",
    "RecordKind",
    "Row",
    "complete",
    "field_help",
    "help_page",
    "parse",
    "written",
]
