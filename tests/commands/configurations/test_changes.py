"""What the commands that change configurations share; what they do with it is tested with each of them."""

from __future__ import annotations

import pytest

from mcptap.commands import main


@pytest.mark.parametrize("command", ["wrap", "unwrap"])
def test_a_client_that_is_not_known_is_refused(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--all", "--client", "emacs"]) == 2
    assert "--client 'emacs' is no client whose configuration is known" in capsys.readouterr().err
