"""Sessions with secrets in all their places, and what must not come through of them."""

from __future__ import annotations

from pathlib import Path

from tests.helpers import END, SPAWN, call, handshake, record, text_result

SECRETS = ("hunter22xyz", "abcd1234efgh", "s3cr3tInUrl", "k9TokenInJson", "q7StderrPass", "p8Polluted")
EVIL = "```\n</details><script>alert(1)</script> @octocat #12 | \u202e https://evil.example [x](javascript:1)"


def with_secrets(path: Path, **header: object) -> str:
    """A recorded session that is broken, and has a secret in each kind of place."""
    steps = [
        SPAWN,
        *handshake(),
        ("stderr", b"connecting with password=q7StderrPass9\n"),
        ("s2c", b"ready, token: p8Polluted77x\n"),
        ("c2s", call(1, "login", {"api_key": "k9TokenInJson4", "url": "https://bob:s3cr3tInUrl@x.example/"})),
        ("s2c", text_result(1, f'{{"password":"hunter22xyz"}} {EVIL}')),
        ("c2s", call(2, "forever", {"city": "Oslo"})),
        *END,
    ]
    return str(record(path, steps, argv=["srv", "--token", "abcd1234efgh"], **header))
