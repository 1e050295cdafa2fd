"""The catalogue of rules as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from rich.cells import cell_len

from mcptap.diagnosis.cases.case import quiet, speaking
from mcptap.diagnosis.catalogue import STAGES
from mcptap.diagnosis.engine.rule import Rule
from mcptap.protocol.revisions import REVISIONS
from mcptap.report.layout import LEVEL_STYLES, labelled
from mcptap.text.terminal import Terminal
from mcptap.text.units import counted

SIDES = {"server": "the server", "client": "the client", "launch": "how the server is started"}


def listed(rules: list[Rule], terminal: Terminal) -> Iterator[str]:
    """The rules by the part of a session that they judge, with the level and what they say."""
    width = max(cell_len(rule.id) for rule in rules)
    for index, (stage, group) in enumerate(groupby(rules, lambda r: r.stage)):
        if index:
            yield ""
        yield terminal.paint(STAGES[stage], "bold")
        for rule in group:
            head = f"  {terminal.paint(f'{rule.level.word:8}', LEVEL_STYLES[rule.level])} {rule.id:{width}}  "
            yield head + terminal.paint(terminal.fit(rule.summary, 13 + width), "dim")
    yield ""
    yield terminal.fit(f"{counted(len(rules), 'rule')}; mcptap rules RULE explains one.")


def explained(rule: Rule, terminal: Terminal) -> Iterator[str]:
    """One rule: what it says, why, by whose doing, at which level where, and examples."""
    yield terminal.paint(rule.id, "bold")
    facts = [
        ("says", rule.summary),
        ("remedy", rule.remedy),
        ("level", levels(rule)),
        ("about", SIDES.get(rule.side, rule.side) + (", as a matter of tool design" if rule.design else "")),
        ("judges", STAGES[rule.stage].lower()),
        ("source", rule.source),
    ]
    for name, text in facts:
        if text:
            yield from labelled(f"  {name:8}", text, terminal)
    for title, case in (("It speaks here:", speaking(rule.id)), ("It is quiet here:", quiet(rule.id))):
        if case is not None:
            yield ""
            options = " ".join(map(str, case.asked))
            yield terminal.paint(f"{title[:-1]} with {options}:" if options else title, "bold")
            yield from (terminal.fit(f"  {line}") for line in case.printed())


def levels(rule: Rule) -> str:
    """The level in words: one for all revisions, or by revision."""
    known = [(revision, rule.levels[revision]) for revision in REVISIONS if revision in rule.levels]
    distinct = {level for _, level in known}
    if len(known) == len(REVISIONS) and len(distinct) == 1:
        return f"{rule.level.word} in all revisions"
    words = []
    for level in sorted(distinct, reverse=True):
        words.append(f"{level.word} in " + ", ".join(revision for revision, at in known if at == level))
    return "; ".join(words) or rule.level.word


def as_json(rules: list[Rule]) -> str:
    """The catalogue for programs: one object with `rules`."""
    return json.dumps({"rules": [_object(rule) for rule in rules]}, indent=2)


def _object(rule: Rule) -> dict[str, Any]:
    bad, good = speaking(rule.id), quiet(rule.id)
    return {
        "rule": rule.id,
        "level": rule.level.word,
        "levels": {revision: level.word for revision, level in rule.levels.items() if revision},
        "side": rule.side,
        "judges": STAGES[rule.stage].lower(),
        "design": rule.design,
        "says": rule.summary,
        "remedy": rule.remedy,
        "source": rule.source,
        "bad": bad and bad.printed(),
        "good": good and good.printed(),
        "options": bad and [str(one) for one in bad.asked],
    }
