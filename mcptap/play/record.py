"""The recording of a run that mcptap plays itself, in the same form as the tap's."""

from __future__ import annotations

import json
import os
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from mcptap import __version__
from mcptap.play.process import Launch
from mcptap.recording.content import quote_or_base64
from mcptap.recording.file import FORMAT, RecordingFile
from mcptap.recording.paths import SUFFIX, clean_name, default_folders, is_folder_wish, server_name
from mcptap.recording.writer import Recorder

HARMLESS = {
    *("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "SHELL", "TMPDIR", "VIRTUAL_ENV"),
    *("NODE_ENV", "NODE_OPTIONS", "NODE_PATH"),
    *("PYTHONPATH", "PYTHONUNBUFFERED", "PYTHONIOENCODING", "PYTHONUTF8"),
}
"""Variables whose values a recording may hold."""


def open_recording(
    launch: Launch, target: str | None, played_by: str, tell: Callable[[str], None], name: str | None = None
) -> tuple[Recorder, RecordingFile]:
    """A recorder for a server that is about to be started, and its file.

    `target` is a file or a folder; None stands for the user's own folder of recordings.
    `played_by` says which command plays the client; `tell` is given sentences about trouble
    with the file. An existing file is never touched: a numbered sibling is used.
    """
    start_ns, wall_us = time.monotonic_ns(), time.time_ns() // 1000
    name = clean_name(name) if name else server_name(list(launch.argv))
    stamp = datetime.fromtimestamp(wall_us / 1e6, UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    file_name = f"{stamp}-{os.getpid()}{SUFFIX}"
    if target is None:
        candidates = [os.path.join(folder, name, file_name) for folder in default_folders(os.environ)]
    elif is_folder_wish(target):
        candidates = [os.path.join(target, file_name)]
    else:
        candidates = [target]
    fields = header_fields(launch, name, played_by, wall_us)

    def header(locked: bool) -> bytes:
        text = json.dumps({**fields, "lock": locked}, ensure_ascii=False, separators=(",", ":"))
        return text.encode(errors="replace") + b"\n"

    file = RecordingFile(candidates, header, tell)
    return Recorder(start_ns, file), file


def header_fields(launch: Launch, name: str, played_by: str, wall_us: int) -> dict[str, Any]:
    """What the header says of a launch, in the order of the format."""
    start = datetime.fromtimestamp(wall_us / 1e6, UTC)
    return {
        "mcptap": FORMAT,
        "n": 1,
        "k": "header",
        "t": 0,
        "wall": wall_us,
        "version": __version__,
        "session": str(uuid.uuid4()),
        "start": start.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "name": name,
        "argv": [_text(argument) for argument in launch.argv],
        "program": None if launch.program is None else _text(launch.program),
        "cwd": _text(os.path.abspath(launch.cwd or os.getcwd())),
        "pid": os.getpid(),
        "platform": sys.platform,
        "python": sys.version.split()[0],
        "parent": {"pid": os.getpid(), "name": f"mcptap {played_by}", "argv": ["mcptap", *sys.argv[1:]]},
        "env": environment_facts(launch.environment),
        "stdio": {"stdin": "pipe", "stdout": "pipe", "stderr": "pipe"},
    }


def environment_facts(environment: Mapping[str, str]) -> dict[str, Any]:
    """The names of all variables, and the values of the harmless ones."""
    return {
        "names": sorted(environment),
        "values": {name: environment[name] for name in sorted(HARMLESS & environment.keys())},
        "placeholders": {},
    }


def _text(value: str) -> Any:
    """A string, or bytes that are not UTF-8 as the format has them."""
    return json.loads(quote_or_base64(os.fsencode(value)))
