"""From the text of a filter to something that matches rows.

query   = [ any ]
any     = all { "or" all }
all     = one { [ "and" ] one }
one     = ( "not" | "-" ) one | "(" any ")" | term
term    = field ":" value | word | '"' text '"'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from mcptap.errors import UserError
from mcptap.query.fields import FIELDS, Fields, Searched
from mcptap.query.terms import Term, TermError, Test, field_term, text_term

MAX_DEPTH = 64
"""How deep terms may nest; nobody means more, and each level is a call."""

_WORD = re.compile(r"[^\s()]+")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_FIELD = re.compile(r"([A-Za-z][A-Za-z_]*):")
_ESCAPE = re.compile(r'\\(["\\])')


class QueryError(UserError):
    """A filter that can't be understood: `message` says why, `position` where (from 0)."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__(f"the filter is wrong at character {position + 1}: {message}")
        self.position = position
        self.message = message


@dataclass(frozen=True, slots=True)
class Query:
    """A filter that was understood. `text` is how it was written."""

    text: str
    _term: Term | None

    def matches(self, row: Searched) -> bool:
        """Whether the filter lets this row through. An empty filter lets all through."""
        return self._term is None or self._term.test(row)

    @property
    def is_empty(self) -> bool:
        """Whether the filter says nothing."""
        return self._term is None

    @property
    def literal(self) -> str | None:
        """The text searched for (in any case), if the filter is one piece of text and no more.

        Such a filter may be answered by a search through raw bytes.
        """
        return self._term.literal if self._term is not None else None

    @property
    def fields(self) -> frozenset[str]:
        """Names of the fields it looks at. What needs an answer's time can't be told before the answer."""
        return self._term.fields if self._term is not None else frozenset()


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a filter: `kind` is `(`, `)`, `-`, `and`, `or`, `not` or `term`."""

    kind: str
    position: int
    term: Term | None = None


def parse(text: str, fields: Fields = FIELDS) -> Query:
    """Understand a filter over rows that have these fields. Raises QueryError."""
    parser = _Parser(list(_tokens(text, fields)), len(text))
    return Query(text, parser.query())


def _tokens(text: str, fields: Fields) -> Iterator[Token]:
    at = 0
    while at < len(text):
        character = text[at]
        if character.isspace():
            at += 1
        elif character in "()":
            yield Token(character, at)
            at += 1
        elif character == "-":
            yield Token("-", at)
            at += 1
            if at == len(text) or text[at].isspace() or text[at] == ")":
                raise QueryError(
                    at - 1, 'there is no term behind "-"; put a sign that is meant as text in quotes'
                )
        elif character == '"':
            value, end = _quoted(text, at)
            if not value:
                raise QueryError(at, "there is nothing between the quotes")
            yield Token("term", at, text_term(value))
            at = end
        else:
            token, at = _word(text, at, fields)
            yield token


def _word(text: str, at: int, fields: Fields) -> tuple[Token, int]:
    """The operator, field or text that begins here, and where it ends."""
    found = _WORD.match(text, at)
    assert found is not None
    word = found.group()
    if word.lower() in ("and", "or", "not"):
        return Token(word.lower(), at), found.end()
    prefix = _FIELD.match(word)
    if prefix is None:
        return Token("term", at, text_term(word)), found.end()
    field = fields.get(prefix[1].lower())
    if field is None:
        near = get_close_matches(prefix[1].lower(), fields, 1)
        advice = f"did you mean {near[0]}?" if near else f"there are {', '.join(fields)}."
        raise QueryError(
            at, f"there is no field {prefix[1]!r}; {advice} To search for it as text, put it in quotes"
        )
    start = at + prefix.end()
    quoted = text.startswith('"', start)
    value, end = _quoted(text, start) if quoted else (word[prefix.end() :], found.end())
    try:
        return Token("term", at, field_term(field, value, quoted)), end
    except TermError as bad:
        raise QueryError(start + bad.offset + quoted, bad.message) from bad


def _quoted(text: str, at: int) -> tuple[str, int]:
    r"""The text between quotes (`\"` and `\\` stand for themselves), and where it ends."""
    found = _QUOTED.match(text, at)
    if found is None:
        raise QueryError(at, "the closing quote is missing")
    end = found.end()
    if end < len(text) and not text[end].isspace() and text[end] not in "()":
        raise QueryError(end, r"put a space behind the closing quote, or write \" for a quote in the text")
    return _ESCAPE.sub(r"\1", found[1]), end


class _Parser:
    """Recursive descent over the tokens, one method for each rule of the grammar."""

    def __init__(self, tokens: list[Token], end: int) -> None:
        self._tokens = tokens
        self._next = 0
        self._end = end
        self._depth = 0

    def query(self) -> Term | None:
        if not self._tokens:
            return None
        term = self._any()
        if self._next < len(self._tokens):
            raise QueryError(self._tokens[self._next].position, "this parenthesis was never opened")
        return term

    def _any(self) -> Term:
        terms = [self._all()]
        while self._take("or"):
            terms.append(self._all())
        return _any_of(terms)

    def _all(self) -> Term:
        terms = [self._one()]
        while self._take("and") or self._peek() in ("term", "-", "not", "("):
            terms.append(self._one())
        return _all_of(terms)

    def _one(self) -> Term:
        if self._next == len(self._tokens):
            said = f" behind {self._tokens[-1].kind!r}" if self._tokens else ""
            raise QueryError(self._end, f"a term is missing{said}")
        token = self._tokens[self._next]
        self._next += 1
        if token.kind == "term":
            assert token.term is not None
            return token.term
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise QueryError(token.position, "the filter nests too deep")
        if token.kind in ("-", "not"):
            term = _negated(self._one())
        elif token.kind == "(":
            term = self._any()
            if not self._take(")"):
                raise QueryError(token.position, "this parenthesis is never closed")
        else:
            raise QueryError(token.position, f"a term is missing before {token.kind!r}")
        self._depth -= 1
        return term

    def _peek(self) -> str:
        return self._tokens[self._next].kind if self._next < len(self._tokens) else ""

    def _take(self, kind: str) -> bool:
        if self._peek() != kind:
            return False
        self._next += 1
        return True


def _all_of(terms: list[Term]) -> Term:
    if len(terms) == 1:
        return terms[0]
    tests, cost, fields = _cheapest_first(terms)

    def test(row: Any) -> bool:
        for test in tests:  # noqa: SIM110 - this runs for each record; a generator costs as much as the test
            if not test(row):
                return False
        return True

    return Term(test, cost, fields)


def _any_of(terms: list[Term]) -> Term:
    if len(terms) == 1:
        return terms[0]
    tests, cost, fields = _cheapest_first(terms)

    def test(row: Any) -> bool:
        for test in tests:  # noqa: SIM110 - see above
            if test(row):
                return True
        return False

    return Term(test, cost, fields)


def _cheapest_first(terms: list[Term]) -> tuple[list[Test], int, frozenset[str]]:
    tests = [term.test for term in sorted(terms, key=lambda term: term.cost)]
    return tests, sum(term.cost for term in terms), frozenset().union(*(term.fields for term in terms))


def _negated(term: Term) -> Term:
    test = term.test
    return Term(lambda row: not test(row), term.cost, term.fields)
