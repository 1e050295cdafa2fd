"""What the commands that change configurations share; what they do with it is tested with each of them."""

from __future__ import annotations

import pytest

from mcptap.commands.configurations.changes import named_client
from mcptap.errors import UserError


def test_a_client_is_named_by_its_id() -> None:
    client = named_client("cursor")
    assert client is not None
    assert client.name == "Cursor"
    assert named_client(None) is None


@pytest.mark.parametrize("name", ["emacs", "Cursor", "typescript-2"])
def test_of_another_the_known_ones_are_told(name: str) -> None:
    with pytest.raises(UserError, match=r"is no client whose configuration is known; known: .*cursor"):
        named_client(name)
