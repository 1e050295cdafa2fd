"""Pages of manuals, made of parsers."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from mcptap.commands import SUMMARIES
from mcptap.commands.manual.parsers import parser_of
from mcptap.commands.manual.roff import page, page_name


@pytest.mark.parametrize("name", SUMMARIES)
def test_a_page_has_each_option_and_example(name: str) -> None:
    text = page(name).replace("\\-", "-")
    for action in parser_of(name)._actions:
        assert action.help == "==SUPPRESS==" or all(flag in text for flag in action.option_strings)
    assert text.count("\n.TP\n.B mcptap ") == len(parser_of(name).examples)
    assert f'.TH {page_name(name).upper()} 1 "" "mcptap ' in text


def test_the_page_of_mcptap_names_all_commands() -> None:
    text = page("")
    assert [line for line in text.splitlines() if line.startswith(".B ")] == [
        f".B mcptap\\-{name}(1)" for name in SUMMARIES
    ]


def test_nothing_in_a_text_is_a_command_of_roff() -> None:
    lines = "\n".join(map(page, ["", *SUMMARIES])).splitlines()
    known = {"TH", "SH", "SS", "TP", "B", "BR", "PP", "br", "nf", "fi"}
    assert {line[1:].split(" ")[0] for line in lines if line.startswith((".", "'"))} <= known


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not there")
def test_groff_has_nothing_to_complain_about() -> None:
    text = "".join(map(page, ["", *SUMMARIES]))
    done = subprocess.run(
        ["groff", "-Tutf8", "-man", "-ww"], input=text.encode(), capture_output=True, check=False
    )
    assert done.stderr == b""
