"""What is wrong with a file of settings is said, whatever the parser does."""

from __future__ import annotations

import pytest

from mcptap.text.toml import read_toml_settings


def test_values_are_read() -> None:
    assert read_toml_settings("a = [1, 'ü']".encode()) == {"a": [1, "ü"]}


@pytest.mark.parametrize(
    "data", [b"a", b"a = " + b"1" * 5000, b"a = " + b"[" * 5000 + b"]" * 5000, b"a = '\xff'"]
)
def test_what_is_no_toml_has_a_reason(data: bytes) -> None:
    with pytest.raises(ValueError, match="is not TOML"):
        read_toml_settings(data)
