"""Objects as Node prints them."""

from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.logs.inspected import MOST_LINES, arguments_of

ARGUMENTS = rb"""  metadata: {
    args: [
      '--title=it\'s the harbour',
      "C:\\sea\\harbour.js",
      `a "quoted" 'word'`,
      '\x1B[0m',
      [length]: 4
    ],
    paths: [
      '/usr/bin',
      [length]: 1
    ]
  }
} %o
"""


def test_arguments_are_read_without_quotes_and_escapes():
    words = arguments_of(ARGUMENTS.split(b"\n"))
    assert words == ["--title=it's the harbour", r"C:\sea\harbour.js", "a \"quoted\" 'word'", "\x1b[0m"]


def test_an_object_without_arguments_has_none():
    assert (
        arguments_of([b"  metadata: {", b"    paths: [", b"      '/usr/bin',", b"    ]", b"  }", b"} %o"])
        == []
    )
    assert arguments_of([b"2026-03-14T09:26:53.601Z [harbour] [info] Server started"]) == []
    assert arguments_of([b"  x"] * (MOST_LINES + 1) + ARGUMENTS.split(b"\n")) == []


@given(st.lists(st.binary(max_size=20)))
def test_any_lines_are_taken(lines: list[bytes]):
    arguments_of([b"    args: [", *(b"      " + line for line in lines)])
