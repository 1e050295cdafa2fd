"""Whatever tool is asked, no secret that was recorded comes out."""

from __future__ import annotations

import random
from pathlib import Path

from mcptap.agent.arguments import ToolError
from mcptap.agent.tools import CALLS, COMPARE, RECORD, SESSIONS, WHY
from tests.agent.asking import answer, keep
from tests.helpers import Step, call, error, handshake, request, text_result
from tests.masking.planting import (
    any_secret,
    argv_with,
    in_prose,
    message_with,
    spellings,
    text_with,
    value_with,
)

SECRETS = 30


def planted(chance: random.Random, count: int) -> tuple[list[Step], list[str]]:
    """A session with so many secrets in all kinds of places, and the secrets."""
    steps, secrets = handshake(), []
    for key in range(1, count + 1):
        secret = any_secret(chance)
        text = in_prose(chance, text_with(chance, secret))
        place = chance.randrange(6)
        if place == 0:
            line, forbidden = message_with(chance)
            steps.append(("s2c", line.replace(b"\n", b" ") + b"\n"))
            secrets += forbidden
            continue
        if place == 1:
            steps.append(("stderr", text.replace("\n", " ").encode() + b"\n"))
        elif place == 2:
            steps += [
                ("c2s", call(key, "login", {"given": value_with(chance, secret)})),
                ("s2c", text_result(key, "in")),
            ]
        elif place == 3:
            steps += [
                ("c2s", call(key, "look")),
                ("s2c", text_result(key, text, is_error=chance.random() < 0.5)),
            ]
        elif place == 4:
            steps += [("c2s", request(key, "tools/list")), ("s2c", error(key, -32000, text))]
        else:
            steps.append(("s2c", f"ready: {text}".replace("\n", " ").encode() + b"\n"))
        secrets.append(secret)
    return steps, secrets


def told(folder: Path, records: int) -> str:
    """All that the tools say of the recordings in a folder."""
    one = {"session": "weather#2"}
    asked = [
        (SESSIONS, {}),
        (WHY, {"session": "weather#1"}),
        (WHY, one),
        *(
            (CALLS, {"session": "weather#2", "filter": wanted, "limit": 100})
            for wanted in ("", "kind:* not kind:event")
        ),
        *(
            (RECORD, {"session": "weather#2", "record": number, "max_chars": 9_000})
            for number in range(2, records)
        ),
        (COMPARE, {"before": "weather#1", "after": "weather#2"}),
    ]
    said = []
    for tool, arguments in asked:
        try:
            said.append(answer(folder, tool, **arguments))
        except ToolError as refused:
            said.append(str(refused))
    return "\n".join(said)


def test_no_planted_secret_is_told_by_any_tool(tmp_path: Path) -> None:
    chance = random.Random(20261201)
    argv_secret = any_secret(chance)
    keep(tmp_path, "weather", handshake(), 1, argv=argv_with(chance, argv_secret))
    steps, secrets = planted(chance, SECRETS)
    keep(tmp_path, "weather", steps, 2)
    text = told(tmp_path, len(steps) + 2).encode()
    assert text.count("‹masked:".encode()) > SECRETS // 2
    for secret in (*secrets, argv_secret):
        assert not [spelled for spelled in spellings(secret) if spelled in text], secret
