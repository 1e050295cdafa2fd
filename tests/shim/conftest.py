"""The `start` fixture: a server behind the real tap, ended with the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.shim.running import Running

Start = Callable[..., Running]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a server through the tap, recording to `tmp_path/records`; or `direct`ly."""
    running: list[Running] = []

    def run(
        server: Sequence[str | bytes],
        *,
        options: Sequence[str] | None = None,
        direct: bool = False,
        read_stdout: bool = True,
        **popen: Any,
    ) -> Running:
        if options is None:
            options = ["--quiet", "--record", str(tmp_path / "records") + "/"]
        one = Running(server, tmp_path, options, direct, read_stdout, **popen)
        running.append(one)
        return one

    yield run
    for one in running:
        one.clean_up()
