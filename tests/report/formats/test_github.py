"""A check as annotations of a GitHub workflow."""

from __future__ import annotations

import io
import re

import pytest

from mcptap.report.formats.github import write
from mcptap.text.terminal import Terminal
from tests.report.samples import checked, results

PIPE = Terminal(io.StringIO(), {})


def test_github_commands_are_escaped_and_one_a_line():
    lines = list(write(results(checked("a,b:c.jsonl"), unusable=True), PIPE))
    assert lines[0].startswith(
        "::error file=a%2Cb%3Ac.jsonl,line=3,title=mcptap capability-undeclared-tools::The server"
    )
    assert lines[1].startswith("::warning file=a%2Cb%3Ac.jsonl,title=mcptap launch-cwd::")
    assert lines[2].startswith("::notice ")
    assert "100%25" in lines[2]
    assert lines[-1].startswith("::error title=mcptap::b.jsonl: is empty")
    assert not any(re.search("[\x00-\x1f]", line) for line in lines)


@pytest.mark.parametrize(("design_counts", "command"), [(False, "notice"), (True, "warning")])
def test_tool_design_is_a_notice_unless_it_counts(design_counts, command):
    lines = list(write(results(design_counts=design_counts), PIPE))
    assert lines[3].startswith(f"::{command} file=a/x.jsonl,line=8,title=mcptap tool-error-as-text::")


def test_the_name_of_a_file_can_neither_begin_a_command_nor_drive_a_terminal():
    lines = list(write(results(checked("a\n::error::x\x1b[31m\x9b\u202e\u2028\r%.jsonl")), PIPE))
    assert lines[0].startswith(
        "::error file=a␊%3A%3Aerror%3A%3Ax␛[31m<U+009B><U+202E><U+2028>␍%25.jsonl,line=3,"
    )
    assert all(line.startswith("::") and line.isprintable() for line in lines)
