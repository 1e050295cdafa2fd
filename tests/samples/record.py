"""Record the samples in recordings/ anew, by really running the tap.

python tests/samples/record.py      # with the Python that has mcptap

Server and player run in a neutral folder with a small environment, so that the samples hold
nothing of the machine they were made on.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
RECORDINGS = HERE.parent.parent / "recordings"
PLACE = Path(tempfile.gettempdir()) / "mcptap-samples"
ANSWER_SECONDS = 5.0
"""An agent's patience: what is unanswered after that stays so."""

TAP = [sys.executable, "-m", "mcptap", "run", "--quiet", "--name", "weather"]
CLIENT = {"name": "sample-agent", "version": "3.1.0"}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}


def initialize() -> list[dict[str, object]]:
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}
    return [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]


def list_tools(number: int) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/list"}


def forecast(number: int, **arguments: object) -> dict[str, object]:
    params = {"name": "forecast", "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def stateless(message: dict[str, object]) -> dict[str, object]:
    return {**message, "params": {**message.get("params", {}), "_meta": META}}  # type: ignore[dict-item]


DISCOVER = {"jsonrpc": "2.0", "id": 0, "method": "server/discover"}
OSLO, NOWHERE = forecast(2, city="Oslo", days=3), forecast(3)

SAMPLES: dict[str, tuple[list[str], list[dict[str, object]], str]] = {
    "clean-handshake": ([], [*initialize(), list_tools(1), OSLO, NOWHERE], "weather"),
    "clean-stateless": ([], [stateless(m) for m in (DISCOVER, list_tools(1), OSLO, NOWHERE)], "weather"),
    "polluted": (["polluted"], [*initialize(), list_tools(1), OSLO], "weather"),
    "capability-gap": (["no-capabilities"], initialize(), "weather"),
    "wrong-cwd": (["--settings", "settings.json"], initialize(), "/"),
    "crash": (["crash"], [*initialize(), list_tools(1), OSLO], "weather"),
}
"""What each sample is made of: the server's arguments, the client's lines, the working directory."""


def play(name: str, arguments: list[str], lines: list[dict[str, object]], folder: str) -> None:
    """Play one client through the tap: each request waits for its answer, if one comes."""
    target = RECORDINGS / f"{name}.jsonl"
    target.unlink(missing_ok=True)
    script = str(PLACE / "weather" / "server.py") if folder == "/" else "server.py"
    tap = subprocess.Popen(
        [*TAP, "--record", str(target), "--", "python3", script, *arguments],
        cwd="/" if folder == "/" else PLACE / folder,
        env={
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": "/home/dev",
            "LANG": "C.UTF-8",
            "API_KEY": "secret",
        },
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert tap.stdin is not None
    assert tap.stdout is not None
    os.set_blocking(tap.stdout.fileno(), False)
    seen = b""
    for line in lines:
        try:
            tap.stdin.write(json.dumps(line).encode() + b"\n")
            tap.stdin.flush()
        except BrokenPipeError:
            break
        end = time.monotonic() + ANSWER_SECONDS
        while "id" in line and time.monotonic() < end and tap.poll() is None:
            seen += tap.stdout.read() or b""
            if any(is_answer(each, line["id"]) for each in seen.split(b"\n")):
                break
            time.sleep(0.005)
    time.sleep(0.3)
    try:
        tap.stdin.close()
    except BrokenPipeError:
        pass
    tap.wait(10)
    # It would say something to the installation that recorded them alone.
    target.write_bytes(re.sub(rb',"check":"[0-9a-f]*"', b"", target.read_bytes(), count=1))


def is_answer(line: bytes, number: object) -> bool:
    try:
        message = json.loads(line)
    except ValueError:
        return False
    return isinstance(message, dict) and message.get("id") == number


def main() -> None:
    shutil.rmtree(PLACE, ignore_errors=True)
    (PLACE / "weather").mkdir(parents=True)
    for file in (RECORDINGS / "weather").iterdir():
        shutil.copy(file, PLACE / "weather" / file.name)
    for name, (arguments, lines, folder) in SAMPLES.items():
        play(name, arguments, lines, folder)
        print(name)
    shutil.rmtree(PLACE)


if __name__ == "__main__":
    main()
