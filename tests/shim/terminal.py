"""A terminal for the tests: what runs on it has it as its controlling terminal, in a session of its own."""

from __future__ import annotations

import fcntl
import os
import pty
import subprocess
import termios
from collections.abc import Sequence
from pathlib import Path

from tests.shim.running import PATIENCE_S, Stream, environment


class Terminal:
    """A terminal, and the leader of the session on it: a shell, say."""

    def __init__(self, home: Path, leader: Sequence[str], **variables: str) -> None:
        self.master, self.slave = pty.openpty()
        modes = termios.tcgetattr(self.slave)
        modes[1] &= ~termios.OPOST
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(self.slave, termios.TCSANOW, modes)
        self.modes = modes

        def make_controlling() -> None:
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            leader,
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            cwd=home,
            env=environment(home, **variables),
            preexec_fn=make_controlling,  # noqa: PLW1509 - nothing else makes a terminal the session's own
        )
        self.screen = Stream(self.master)

    def type(self, text: str) -> None:
        """Type, as a person would, `^C` and the like as the characters they are."""
        os.write(self.master, text.encode())

    def sees(self, words: str) -> bool:
        """Whether these words come on the screen."""
        return self.screen.sees(words.encode())

    def status(self) -> int:
        """The exit status of the leader, once it is over."""
        return self.process.wait(PATIENCE_S)

    def close(self) -> None:
        """Hang up, and end the leader if it is still there."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.slave)
        self.screen._thread.join(PATIENCE_S)
        os.close(self.master)
