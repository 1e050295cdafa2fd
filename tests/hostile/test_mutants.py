"""No mutant of a recording takes a command down: 1,000 here, any number with `python -m tests.hostile`."""

from pathlib import Path

import pytest

from tests.hostile.mutants import run

EACH = 250


@pytest.mark.parametrize("first", range(0, 1000, EACH))
def test_no_mutant_takes_a_command_down(first: int, tmp_path: Path):
    for number in range(first, first + EACH):
        assert run(number, tmp_path) == ""
