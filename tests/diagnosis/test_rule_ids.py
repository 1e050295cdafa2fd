"""Only the rules know their ids: everything else goes by the fields of a rule or of a finding."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import mcptap
from mcptap.clients.faults import Fault
from mcptap.diagnosis import rules
from mcptap.diagnosis.engine.registry import RULES

PRODUCT = Path(mcptap.__file__).parent
IDS = RULES.keys() - {fault.value for fault in Fault}
"""Ids that mean nothing but the rule: some faults are called like the rule that reports them."""

ANY_ID = re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(IDS))})(?![\w-])")


def texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def texts_of(path: Path) -> Iterator[tuple[int, str]]:
    """The strings of a module; none if no id stands anywhere in it, since to parse it takes longest."""
    source = path.read_text(encoding="utf-8")
    return texts(ast.parse(source)) if ANY_ID.search(source) else iter(())


def test_no_id_of_a_rule_stands_outside_the_rules():
    named = [
        f"{path.relative_to(PRODUCT)}:{line}: {text}"
        for path in PRODUCT.rglob("*.py")
        if Path(rules.__file__).parent not in path.parents
        for line, text in texts_of(path)
        if IDS.intersection(text.split())
    ]
    assert named == []


def test_the_rules_themselves_would_be_found():
    found = [
        text
        for path in Path(rules.__file__).parent.rglob("*.py")
        for _, text in texts(ast.parse(path.read_text()))
    ]
    assert len(IDS.intersection(found)) > 100
