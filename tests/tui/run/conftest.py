"""What the tests of this folder share."""

import os

import pytest


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """New recordings lie under the test's own folder."""
    monkeypatch.setenv("XDG_STATE_HOME", os.fspath(tmp_path / "state"))
    return tmp_path
