"""A rule is checked when it is registered, and its text gets every value that it has a place for."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from functools import cache
from types import ModuleType

import pytest

import mcptap.diagnosis.rules  # noqa: F401 - registers the rules
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.registry import RULES, matching
from mcptap.diagnosis.engine.registry import rule as register
from mcptap.diagnosis.engine.rule import SERVER, Rule, Stage, hit

OPTIONS = frozenset(inspect.signature(hit).parameters) - {"values"}
SELF_GIVEN = frozenset({"n", "sender"})


@cache
def functions(module: ModuleType) -> list[ast.FunctionDef]:
    tree = ast.parse(inspect.getsource(module))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def hits(rule: Rule) -> list[ast.Call]:
    """The calls of `hit` in the rule's function, and in what it calls in its module."""
    code = rule.check.__code__
    module = sys.modules[rule.check.__module__]
    (start,) = (
        node
        for node in functions(module)
        if code.co_name == node.name
        and code.co_firstlineno in (node.lineno, *(d.lineno for d in node.decorator_list))
    )
    found, waiting, known = [], [start], {start.name}
    while waiting:
        for call in ast.walk(waiting.pop()):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                continue
            if call.func.id == "hit":
                found.append(call)
            elif call.func.id not in known:
                known.add(call.func.id)
                waiting += [node for node in functions(module) if node.name == call.func.id]
    return found


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_every_hit_gives_the_values_that_the_text_has_places_for(rule: Rule):
    texts = (rule.says, rule.leads_to, rule.brief)
    required = frozenset().union(*(text.required for text in texts)) - SELF_GIVEN
    optional = frozenset().union(*(text.optional for text in texts))
    assert hits(rule)
    for call in hits(rule):
        given = {keyword.arg for keyword in call.keywords} - OPTIONS
        assert None not in given, "values are given one by one"
        assert required <= given <= required | optional


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_what_is_listed_of_a_rule_is_readable(rule: Rule):
    for text in (rule.summary, rule.remedy, rule.source):
        assert not re.search(r"(?<!\$)\{\w+\??\}", text)


def test_a_verdict_on_silence_needs_only_what_a_verdict_gives():
    silences = [known.silence for known in RULES.values() if known.silence is not None]
    assert silences
    assert all(silence.required <= {"client", "reaction"} for silence in silences)


GOOD = {"side": SERVER, "on": "state", "stage": Stage.END, "source": "a test", "says": "It fails"}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"on": "s2c reqest tools/list"}, "there is no occasion 'reqest'"),
        ({"on": "s2c request tools/lisst"}, "request knows no 'tools/lisst'"),
        ({"on": "flaw terrible"}, "flaw knows no 'terrible'"),
        ({"requires": "framing luck"}, "luck"),
        ({"says": "It {fails:5}"}, "cannot understand the place"),
        ({"says": "It {} fails"}, "cannot understand the place"),
    ],
)
def test_a_rule_that_cannot_be_understood_is_refused_with_its_reason(changed, words):
    with pytest.raises(ValueError, match=words):
        register("a-test", Level.INFO, **{**GOOD, **changed})(lambda session: None)
    assert "a-test" not in RULES


def test_two_rules_of_one_id_are_refused():
    with pytest.raises(ValueError, match="two rules are called crlf"):
        register("crlf", Level.INFO, **GOOD)


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_a_rule_speaks_of_other_rules_that_exist(rule: Rule):
    for pattern in (*rule.yields_to, *rule.unless, *rule.explains):
        assert matching((pattern,)) - {rule.id}
