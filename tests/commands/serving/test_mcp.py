"""`mcptap mcp` as a command: what it refuses before it serves."""

import pytest

from mcptap.commands import main


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--dir", "/no/such/folder"], "there is no folder /no/such/folder"),
        (["--since", "yesterday"], "--since can't be 'yesterday'; say 2h, 3d or a date"),
    ],
)
def test_bad_options_are_one_sentence(capsys, arguments, words):
    assert main(["mcp", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1
