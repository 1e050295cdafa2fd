"""A server that leaves the process group in which, without the tap, it would have stayed.

Who leads a process group cannot leave it: for `timeout`, started by a shell as its job, `setpgid` does
nothing. Behind the tap, which leads the job then, the same call moves it out of the terminal's
foreground: keys such as Ctrl-C reach the tap alone, and to read the terminal stops the server.
Where the tap leads its group, the server gets here what it would have had. Where it does not, the
server may leave as it may directly, and nothing is to be done.
"""

from __future__ import annotations

import os
import time
from _thread import start_new_thread

from mcptap.shim.descriptors import unstopped

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal  # its other half imports enum

TERMINAL = 0
FIRST_LOOK_S, LAST_LOOK_S = 0.01, 0.2
"""Nothing tells that a process changed its group: the time to the next look, at first and at most."""


class Job:
    """The tap's process group and the server's. `on_terminal`: stdin is one, and the server reads it."""

    def __init__(self, server: int, on_terminal: bool) -> None:
        self._server = server
        self._group = os.getpgrp()
        self._leads = os.getpid() == self._group
        self._given = 0
        if on_terminal and self._leads:
            try:
                start_new_thread(self._see_to_terminal, ())
            except RuntimeError:  # there can be no more threads
                pass

    def moved_to(self) -> int:
        """The group into which the server went although directly it would have stayed; 0 if it did not."""
        if not self._leads:
            return 0
        try:
            group = os.getpgid(self._server)
        except ProcessLookupError:
            return 0
        return group if group != self._group else 0

    def over(self) -> None:
        """The server is gone: others of our group may want the terminal."""
        try:
            if self._given and os.tcgetpgrp(TERMINAL) == self._given:
                unstopped(os.tcsetpgrp, TERMINAL, self._group)
        except OSError:
            pass

    def _see_to_terminal(self) -> None:
        pause = FIRST_LOOK_S
        try:
            while True:
                group = self.moved_to()
                if group:
                    self._follow(group)
                time.sleep(
                    pause
                )  # not in sigtimedwait, which a stop breaks off with a signal that never came
                pause = min(2 * pause, LAST_LOOK_S)
        except OSError:  # the server is gone, or it is not our controlling terminal
            return

    def _follow(self, group: int) -> None:
        """Let the server have the terminal while our group has it, and stop when the server stops."""
        if os.tcgetpgrp(TERMINAL) == self._group:
            self._given = group
            unstopped(os.tcsetpgrp, TERMINAL, group)
        elif os.waitid(os.P_PID, self._server, os.WSTOPPED | os.WNOHANG) is None:
            return
        elif os.getsid(0) != os.getpid():
            os.kill(0, signal.SIGSTOP)  # the SIGCONT that will end it is passed on to the server's group
            return
        os.killpg(group, signal.SIGCONT)  # a session's leader has no shell that would continue it
