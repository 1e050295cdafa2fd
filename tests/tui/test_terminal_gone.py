import os
import threading

import pytest

from mcptap.tui.terminal_gone import leave_with_terminal

pty = pytest.importorskip("pty")


def test_a_screen_leaves_when_its_terminal_is_closed_and_not_before():
    outer, inner = pty.openpty()
    left = threading.Event()
    leave_with_terminal(inner, left.set, 0)
    os.write(inner, b"drawn")
    os.read(outer, 5)
    assert not left.is_set()
    os.close(outer)
    assert left.wait(20)
    os.close(inner)
