"""The system's clipboard, through the program that the desktop or tmux has for it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping

PATIENCE_S = 2.0
"""How long a program may take: one whose display does not answer would hold the screen up."""


def programs(environ: Mapping[str, str], platform: str = sys.platform) -> Iterator[tuple[str, list[str]]]:
    """What fills a clipboard here, best first: what it fills, in words, and the command."""
    if environ.get("WAYLAND_DISPLAY"):
        yield "the clipboard (wl-copy)", ["wl-copy"]
    if environ.get("DISPLAY"):
        yield "the clipboard (xclip)", ["xclip", "-selection", "clipboard"]
        yield "the clipboard (xsel)", ["xsel", "--input", "--clipboard"]
    if platform == "darwin":
        yield "the clipboard (pbcopy)", ["pbcopy"]
    if environ.get("TMUX"):
        # -w hands it to the terminal's clipboard as well; tmux before 3.2 has no such option.
        yield "tmux's buffer", ["tmux", "load-buffer", "-w", "-"]
        yield "tmux's buffer", ["tmux", "load-buffer", "-"]


def copy(text: str, environ: Mapping[str, str]) -> str:
    """Fill the first clipboard that takes the text; which one, in words; empty if none did."""
    data = text.encode(errors="replace")
    for words, command in programs(environ):
        found = shutil.which(command[0], path=environ.get("PATH"))
        if found is None:
            continue
        try:
            # What holds the clipboard goes on in the background: it must not keep our output open.
            done = subprocess.run(
                [found, *command[1:]],
                input=data,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=PATIENCE_S,
                check=False,
            )
        except (OSError, subprocess.SubprocessError):
            continue
        if done.returncode == 0:
            return words
    return ""
