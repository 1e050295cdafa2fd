"""A probe of the servers that lie here, and what came of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
import trio

from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.allowed import Allowed
from mcptap.play.probe.probe import NOTHING, probe
from mcptap.play.probe.result import ProbeResult
from mcptap.play.probe.verdict import Grade
from mcptap.play.server.launch import Launch
from mcptap.recording.format.model import Line
from mcptap.recording.reader import Reader

HERE = Path(__file__).parent


LETTER = [sys.executable, str(HERE / "letter_server.py")]


SMALL = [sys.executable, str(HERE / "small_server.py")]


def probed(argv: list[str], folder: Path, allowed: Allowed = NOTHING, *, start_s: float = 30) -> ProbeResult:
    settings = ConnectionSettings(
        Launch(argv), timeout_s=20, start_s=start_s, record=f"{folder}{os.sep}", tell=pytest.fail
    )
    return trio.run(probe, settings, allowed)


def grades(result: ProbeResult) -> dict[str, Grade]:
    return {v.question: v.grade for section in result.verdicts.values() for v in section}


def client_lines(result: ProbeResult) -> list[Any]:
    sent = []
    for session in result.sessions:
        with Reader(session.path) as reader:
            sent += [i.value for i in reader.items() if isinstance(i, Line) and i.channel == "c2s"]
    return sent
