"""What of a change is shown: the command line before and after, and no secret."""

from __future__ import annotations

from mcptap.masking.masker import Masker
from mcptap.setup.edits import applied, wrapping
from mcptap.setup.shown import changed_lines
from tests.setup.test_edits import OWN, read


def shown(client: str, data: bytes) -> list[str]:
    document, entries = read(client, data)
    entry = entries["x"]
    edits, _ = wrapping(document, entry, OWN)
    after, now = read(client, applied(data, edits))
    return list(changed_lines((document, entry), (after, now["x"]), Masker(b"k" * 32)))


def test_each_value_has_its_line_though_they_share_one() -> None:
    assert shown("claude-code", b'{"mcpServers":{"x":{"command":"npx","args":["-y"]}}}') == [
        '- "command":"npx"',
        '- "args":["-y"]',
        '+ "command":"/opt/my tools/mcptap"',
        '+ "args":["run", "--name", "x", "--", "npx", "-y"]',
    ]


def test_of_a_list_in_lines_those_that_are_new_are_told() -> None:
    data = b'[mcp_servers.x]\ncommand = "npx"\nargs = [\n    "-y", # yes\n]\n'
    assert shown("codex", data) == [
        '- command = "npx"',
        '+ command = "/opt/my tools/mcptap"',
        "  args = [",
        *(f'+     "{word}",' for word in ("run", "--name", "x", "--", "npx")),
        '      "-y", # …',
        "  ]",
    ]


def test_secrets_are_masked_and_nothing_around_is_shown() -> None:
    data = (
        b'{"context_servers":{"x":{"env":{"KEY":"hunter2"},"command":"npx","args":['
        b'"--token=sk_live_FAKE1234567890","postgres://u:Hunter2FAKE@h/d" /* token=FAKETOKEN123456 */]}}}'
    )
    text = "\n".join(shown("zed", data))
    assert "hunter2" not in text.lower()
    assert "FAKE" not in text
    assert text.count("‹masked:") == 4


def test_of_comments_the_sign_alone_is_shown() -> None:
    data = (
        b'{"context_servers":{"x":{"command": /*s3cret*/ "n", "args": [//s3cret\n"//y", /* s3cret */ "#"]}}}'
    )
    text = "\n".join(shown("zed", data))
    assert "s3cret" not in text
    assert '"command": /* … */ "n"' in text
    assert '"args": [// …' in text
    assert '"//y", /* … */ "#"]' in text
    assert "s3cret" not in "".join(shown("codex", b'[mcp_servers.x]\ncommand="n"\nargs = [ #s3cret\n"#y"]'))


def test_what_a_terminal_would_obey_is_written_out() -> None:
    data = '{"mcpServers":{"x":{"command":"a\u202eb\x9b","args":["\\u001b"]}}}'.encode()
    text = "\n".join(shown("claude-code", data))
    assert "a<U+202E>b<U+009B>" in text
    assert "\x1b" not in text
