"""The pages for readers: what they name of commands, options and files is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from mcptap.commands import GROUPS, SUMMARIES
from mcptap.commands.manual.parsers import parser_of
from tests.test_architecture import ROOT

PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (*ROOT.glob("*.md"), *(ROOT / "recordings").glob("*.md"), *(ROOT / "mcptap").rglob("*.md"))
)
CODE = re.compile(r"^```sh\n(.*?)^```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)
NO_COMMANDS = {"launch", "mask"}
"""Words behind `mcptap` that are no commands: personal names of hashes."""
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
OPTION = re.compile(r"(?<!\S)--[a-z][a-z-]*")


def command_lines(text: str) -> Iterator[tuple[str, list[str]]]:
    """The command lines in a page's code: the command, and the options before the server's own words."""
    for found in CODE.finditer(text):
        for line in (found[1] or found[2]).splitlines():
            _, mcptap, words = line.partition("#")[0].partition("mcptap ")
            name, _, rest = words.strip().partition(" ")
            if mcptap and re.fullmatch(r"[a-z]+", name) and name not in NO_COMMANDS:
                yield name, OPTION.findall(rest.partition(" -- ")[0])


@cache
def options_of(name: str) -> frozenset[str]:
    return frozenset(flag for action in parser_of(name)._actions for flag in action.option_strings)


@pytest.mark.parametrize("page", PAGES)
def test_commands_and_options_that_a_page_names_are_there(page: str) -> None:
    for name, options in command_lines((ROOT / page).read_text(encoding="utf-8")):
        assert name in {*SUMMARIES, "help"}, name
        assert name == "help" or set(options) <= options_of(name), name


@pytest.mark.parametrize("page", PAGES)
def test_files_that_a_page_points_to_are_there(page: str) -> None:
    path = ROOT / page
    targets = LINK.findall(path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


def test_the_readme_has_all_commands_under_the_headings_of_the_help() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme[readme.index("## Commands") : readme.index("`mcptap help COMMAND`")]
    headings = re.findall(r"^\| \*\*(.+?)\*\*", table, re.MULTILINE)
    assert headings == list(GROUPS)
    parts = re.split(r"^\| \*\*.+?\*\*.*\n", table, flags=re.MULTILINE)[1:]
    for part, group in zip(parts, GROUPS.values(), strict=True):
        firsts = "".join(re.findall(r"^\| (.*?) \| ", part, re.MULTILINE))
        named = re.findall(r"`(?:mcptap )?([a-z]+)", firsts)
        assert set(group) <= set(named)


def test_command_lines_are_found_in_blocks_and_in_sentences() -> None:
    text = "```sh\nx/mcptap demo\nmcptap wrap a --all  # --none\n```\nSee `mcptap run --divert -- x --y`."
    assert list(command_lines(text)) == [("demo", []), ("wrap", ["--all"]), ("run", ["--divert"])]
