"""The registry of the forms of a check."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from mcptap.report import formats
from mcptap.text.terminal import Terminal
from tests.report.samples import results


@pytest.mark.parametrize("name", formats.NAMES)
def test_each_form_writes_lines_that_drive_no_terminal(name: str) -> None:
    form = formats.load(name)
    assert form.name == name
    text = "\n".join(form.write(results(unusable=True), Terminal(io.StringIO(), {})))
    assert text
    assert "\x1b" not in text


def test_each_module_with_a_form_is_listed() -> None:
    modules = Path(formats.__file__).parent.glob("*.py")
    with_a_form = {path.stem for path in modules if "FORMAT = Format(" in path.read_text()}
    assert with_a_form == set(formats.NAMES)
