"""Secrets on their way: a server that asks for one in a form, and one that goes to a tool as an argument.

What is said names the place; the value itself is never among the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import since
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import CLIENT, SERVER, Hit, Hits, Stage, hit
from mcptap.diagnosis.explain.wording import quote
from mcptap.masking.names import YES, secrecy, words_of
from mcptap.masking.shapes import shapes_in
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.session import Session

_CARDS = frozenset(("cvv", "cvv2", "cvc", "card number", "credit card", "credit card number"))
_LONGEST_TITLE = 40
"""A longer title is a sentence, of which a single word says little."""
_KINDS = {
    "private key": "a private key",
    "JSON web token": "a JSON web token",
    "token": "an access token",
    "API key": "an API key",
    "webhook": "the address of a webhook",
}
_LEAST_KEY = 100
"""So many letters of base64 stand in every private key."""
_LEAST_SIGNS = 8
"""So many different signs has what a machine made by chance."""
_SAMPLE = re.compile(r"(?i)example|sample|dummy|placeholder|your|x{4}|(.)\1{5}|1234567|abcdefg")


@rule(
    "elicit-secret",
    since("2025-06-18", Level.WARNING),
    side=SERVER,
    on="s2c request elicitation/create, s2c result tools/call, s2c result prompts/get, s2c result resources/read",
    stage=Stage.DESIGN,
    source="2025-06-18 and later, client/elicitation: a form must not ask for passwords, keys, tokens, cards",
    says="The server asks in a form for {field} (record {n}), by its name a secret",
    leads_to="what is typed there passes through the client, and may come before the model and into logs",
    remedy='Ask for it by mode "url" (2025-11-25), or take it from the environment.',
    requires="values",
    design=True,
)
def elicit_secret(session: Session, message: Message) -> Hits:  # noqa: ARG001 - as every rule
    hits: list[Hit] = []
    for params in _forms(message):
        schema = params.get("requestedSchema")
        fields = schema.get("properties") if isinstance(schema, dict) else None
        for name, field in fields.items() if isinstance(fields, dict) else ():
            if isinstance(field, dict) and _asks_for_text(field) and _is_secret(name, field):
                hits.append(hit(message.number, name, field=quote(name, 60)))
    return hits


def _forms(message: Message) -> Iterator[dict[str, Any]]:
    """The forms in a request of the server, or in a result that asks for input."""
    asks: list[Any] = [{"params": message.params}] if message.method == "elicitation/create" else []
    if isinstance(message.result, dict) and isinstance(message.result.get("inputRequests"), dict):
        asks = [
            ask
            for ask in message.result["inputRequests"].values()
            if isinstance(ask, dict) and ask.get("method") == "elicitation/create"
        ]
    for ask in asks:
        params = ask.get("params") if isinstance(ask, dict) else None
        if isinstance(params, dict) and params.get("mode", "form") == "form":
            yield params


def _asks_for_text(field: dict[str, Any]) -> bool:
    return field.get("type") in ("string", "number", "integer") and not field.keys() & {"enum", "oneOf"}


def _is_secret(name: str, field: dict[str, Any]) -> bool:
    title = field.get("title")
    names = [name, title] if isinstance(title, str) and len(title) <= _LONGEST_TITLE else [name]
    return any(secrecy(one) == YES or " ".join(words_of(one)) in _CARDS for one in names)


@rule(
    "secret-in-call",
    Level.WARNING,
    side=CLIENT,
    on="c2s request tools/call",
    stage=Stage.DESIGN,
    source="observed: secrets leave as arguments of tools; forms of keys as their makers publish them",
    says="The argument {argument} of {tool} (record {n}) holds what has the form of {kind}",
    leads_to="the server has it now, and whatever logs its calls",
    remedy="If it is a real one, replace it, and find out how it came before the model.",
    requires="values",
    design=True,
)
def secret_in_call(session: Session, message: Message) -> Hits:  # noqa: ARG001 - as every rule
    arguments = (message.params or {}).get("arguments")
    if type(arguments) is not dict:
        return None
    for name, value in arguments.items():
        if secrecy(name) == YES:
            continue  # the tool is there to be given one
        for text in _texts(value):
            for start, end, kind in shapes_in(text):
                if _is_made(text[start:end], kind):
                    tool = quote(str((message.params or {}).get("name")), 60)
                    argument = quote(name, 60) if not shapes_in(name) else "that it was given"
                    return hit(message.number, tool, argument=argument, tool=tool, kind=_KINDS[kind])
    return None


def _texts(value: Any) -> Iterator[str]:
    """All texts in a value but for those that are secrets by their name, as the tool may want them."""
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            todo += [inner for name, inner in one.items() if secrecy(name) != YES]
        elif isinstance(one, list):
            todo += one


def _is_made(secret: str, kind: str) -> bool:
    """Whether it is whole, and no sample or word with the beginning of a key."""
    if kind == "private key":
        return len(secret) >= _LEAST_KEY + 50 and "-----END" in secret and len(set(secret)) > 2 * _LEAST_SIGNS
    if _SAMPLE.search(secret) or len(set(secret)) < _LEAST_SIGNS or not any(map(str.isdecimal, secret)):
        return False
    if kind == "JSON web token":
        return secret.count(".") >= 2
    return kind != "API key" or not (secret.islower() or secret.isupper())
