"""Sentences of a bounded length, whole: no bracket or quotation mark is left open."""

from __future__ import annotations

import re

_PAIRS = {")": "(", "]": "[", "}": "{"}
_ASIDE = re.compile(r" \([^()]*\)")
_COLOUR = re.compile(r"[\x1b␛]\[[0-9;?]*[A-Za-z]")
"""A control sequence of a terminal, raw or made visible."""
_QUOTES = str.maketrans({'"': "'", "`": "'"})
_LEAST_CLAUSE = 5
"""A sentence is not cut down to fewer words than this at the end of a clause."""


def capital(text: str) -> str:
    """The text with a capital at its beginning, unless it begins with a name such as `tools/list`."""
    return text if "/" in text.partition(" ")[0] else text[:1].upper() + text[1:]


def word_count(text: str) -> int:
    """How many words there are, by the spaces between them."""
    return len(text.split())


def fitted(sentence: str, most: int) -> str:
    """A sentence in at most so many words: without asides, else cut behind a clause, else behind a word."""
    text = sentence.rstrip(". ")
    for aside in reversed(list(_ASIDE.finditer(text))):
        if word_count(text) > most and aside[0].count('"') % 2 == 0:
            text = text[: aside.start()] + text[aside.end() :]
    if word_count(text) > most:
        text = _cut(text, most)
    return text if text.endswith(("?", "!", "…")) else f"{text}."


def _cut(text: str, most: int) -> str:
    kept = " ".join(text.split()[:most])
    for mark in ("; ", ": ", ", "):
        clause = kept.rpartition(mark)[0]
        if word_count(clause) >= _LEAST_CLAUSE and clause.count('"') % 2 == 0 and balanced(clause) == clause:
            return clause
    if kept.count('"') % 2:
        return (
            balanced(kept).rstrip(' ,;:("') + '…"' if not kept.endswith('"') else balanced(kept[:-1]).rstrip()
        )
    return balanced(kept).rstrip(" ,;:(") + "…"


def snippet(text: str, words: int, characters: int) -> str:
    """A stranger's text to stand between quotation marks in a sentence: its beginning, with `…` if cut.

    Its own quotation marks and backticks become single quotes; brackets without their other half are left
    out.
    """
    every = _COLOUR.sub("", text).translate(_QUOTES).split()
    shown = " ".join(every[:words])
    cut = len(every) > words or len(shown) > characters
    if len(shown) > characters:
        shown = shown[:characters].rstrip()
        head, _, tail = shown.rpartition(" ")
        shown = head if head and len(tail) < characters // 2 else shown
    return balanced(shown).rstrip(" .,;:") + ("…" if cut else "")


def balanced(text: str) -> str:
    """The text without brackets that have no other half."""
    open_at: list[int] = []
    unmatched: set[int] = set()
    for at, character in enumerate(text):
        if character in "([{":
            open_at.append(at)
        elif character in _PAIRS:
            if open_at and text[open_at[-1]] == _PAIRS[character]:
                open_at.pop()
            else:
                unmatched.add(at)
    unmatched.update(open_at)
    return "".join(character for at, character in enumerate(text) if at not in unmatched)


def telling_line(text: str) -> str:
    """Of several lines, the one with most letters; the first of those that are equal."""
    return max(text.splitlines() or [""], key=lambda line: sum(map(str.isalpha, line)))
