"""Recordings whose server can be started again, and the way to start it by keys."""

import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path

from mcptap.tui.run.launch_form import LaunchForm
from mcptap.tui.run.probing import ProbeScreen
from mcptap.tui.run.resend import Resend
from mcptap.tui.run.resend_screen import ResendScreen
from mcptap.tui.widgets.choice import Choice
from tests.helpers import END, call, handshake, record, text_result
from tests.tui.screens import fed, opened, until

WEATHER = Path(__file__).parents[3] / "recordings" / "weather" / "server.py"


OSLO = "Oslo: 21 °C, light wind, no rain before Thursday."


CALL = 5
"""The index of the call in the recordings below."""


STUBBORN = """
import json, os, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        about = {"name": "s", "version": "1"}
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": about}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    elif message.get("method") == "tools/call":
        with open("pid.new", "w") as file:
            file.write(str(os.getpid()))
        os.rename("pid.new", "pid")
while True:
    signal.pause()
"""
"""Never answers a call, and ends neither with its input nor by TERM."""


def taped(folder, answer=OSLO, script=WEATHER, arguments=(), **header):
    """A recording of one call, whose server can be started again."""
    steps = [*handshake(), ("c2s", call(7, "forecast", {"city": "Oslo"}))]
    if answer is not None:
        steps.append(("s2c", text_result(7, answer)))
    argv = [sys.executable, os.fspath(script), *arguments]
    launch = {"argv": argv, "cwd": os.fspath(folder), "env": {}, **header}
    return os.fspath(record(folder / "old.jsonl", [*steps, *END], **launch))


def is_form_for(pilot, purpose):
    screen = pilot.app.screen
    return isinstance(screen, LaunchForm) and isinstance(screen.purpose, purpose)


@asynccontextmanager
async def form_of(path, size=(120, 40)):
    """The form for sending the call again."""
    async with opened(fed(path), size) as (pilot, screen):
        screen.cursor.go_to(CALL)
        await pilot.press("R")
        await until(pilot, lambda: is_form_for(pilot, Resend))
        await pilot.pause()
        yield pilot, pilot.app.screen


async def said_yes(pilot):
    """Start, and say yes to the question."""
    await pilot.press("ctrl+s")
    await until(pilot, lambda: isinstance(pilot.app.screen, Choice))
    await pilot.press("2")
    await until(pilot, lambda: isinstance(pilot.app.screen, ResendScreen | ProbeScreen))
    return pilot.app.screen


async def ended(pilot, run):
    """Wait until the run has ended and the screen says so."""
    await until(pilot, lambda: not run.running)
    await pilot.pause()
    await pilot.pause()


def is_gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def stubborn(place):
    script = place / "stubborn.py"
    script.write_text(STUBBORN)
    return taped(place, script=script)
