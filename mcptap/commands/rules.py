"""`mcptap rules`: the catalogue, and one rule explained."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mcptap.commands.options import Parser
from mcptap.errors import UserError

if TYPE_CHECKING:
    from mcptap.diagnosis.engine.rule import Rule


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    parser = Parser(
        prog="mcptap rules",
        description="List the rules of mcptap check, or explain some: when they fire, why, and what to do.",
        epilog="`mcptap rules RULE | mcptap check -` judges the session in which the rule speaks.",
    )
    parser.add_argument("rules", nargs="*", metavar="RULE", help="ids, or patterns like 'tool-*', which list")
    parser.add_argument("--json", action="store_true", help="print the catalogue as JSON")
    options = parser.parse_args(arguments)

    from mcptap.report import catalogue_text
    from mcptap.text.terminal import Terminal

    chosen = _chosen(options.rules)
    if options.json:
        print(catalogue_text.as_json(chosen))
        return 0
    terminal = Terminal(sys.stdout)
    exact = [rule for rule in chosen if rule.id in options.rules]
    listed = [rule for rule in chosen if rule.id not in options.rules]
    for index, rule in enumerate(exact):
        if index:
            print()
        for line in catalogue_text.explained(rule, terminal):
            print(line)
    if listed:
        if exact:
            print()
        for line in catalogue_text.listed(listed, terminal):
            print(line)
    return 0


def _chosen(patterns: list[str]) -> list[Rule]:
    """The rules that are asked for, in the order of the catalogue; all without a pattern."""
    from mcptap.diagnosis import catalogue
    from mcptap.diagnosis.engine.selection import matches

    everything = catalogue.rules()
    for pattern in patterns:
        if not catalogue.is_known(pattern):
            from difflib import get_close_matches

            near = get_close_matches(pattern, [rule.id for rule in everything], 3)
            hint = f"did you mean {' or '.join(near)}?" if near else "mcptap rules lists them"
            raise UserError(f"there is no rule {pattern!r}; {hint}")
    return [rule for rule in everything if not patterns or matches(rule.id, patterns)]
