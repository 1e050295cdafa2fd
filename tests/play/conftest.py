"""The `serve` fixture: a client's settings for a server that is a function."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.server.launch import Launch
from tests.play.function_server import Answer, running


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., ConnectionSettings]:
    """`serve(answer)` gives the settings with which `connect` talks to that function."""

    def settings(answer: Answer, **options: Any) -> ConnectionSettings:
        monkeypatch.setattr("mcptap.play.client.connection.running", running(answer))
        place = {"record": f"{tmp_path}/records/", "tell": pytest.fail}
        return ConnectionSettings(Launch(["server"]), **{**place, **options})

    return settings
