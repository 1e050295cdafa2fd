"""What goes to stderr in place of the client never makes a message wait."""

from __future__ import annotations

import os

from mcptap.shim.divert.aside import ROOM, Aside
from mcptap.shim.notices import Notices
from tests.shim.running import PATIENCE_S, Stream, eventually


def test_lines_stand_between_those_of_the_server() -> None:
    reading, writing = os.pipe()
    notices = Notices(writing, quiet=True)
    aside = Aside(writing, notices)
    aside.start()
    stream = Stream(reading)
    aside.server_writes()
    aside.put(b"diverted\n")
    os.write(writing, b"progress 10%")
    aside.server_wrote(b"progress 10%")
    assert aside.wait(PATIENCE_S)
    os.close(writing)
    assert stream.end() == b"progress 10%\ndiverted\n"


def test_a_stderr_that_nobody_reads_takes_no_more_than_its_room() -> None:
    reading, writing = os.pipe()
    aside = Aside(writing, Notices(writing, quiet=True))
    assert aside.room < 0  # it was not started
    aside.start()
    assert aside.room == ROOM
    aside.put(b"x" * ROOM)
    assert aside.room == 0
    assert aside.writing
    assert not aside.has_delivered()
    stream = Stream(reading)
    assert aside.wait(PATIENCE_S)
    assert eventually(lambda: aside.room == ROOM)
    assert aside.is_idle(0)
    assert aside.has_delivered()
    os.close(writing)
    assert len(stream.end()) == ROOM


def test_there_is_no_room_once_stderr_is_gone() -> None:
    reading, writing = os.pipe()
    aside = Aside(writing, Notices(writing, quiet=True))
    aside.start()
    os.close(reading)
    aside.put(b"text\n")
    assert eventually(lambda: aside.room < 0)
    assert aside.wait(PATIENCE_S)
    os.close(writing)


def test_the_end_of_the_servers_stderr_leaves_nothing_waiting() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    aside = Aside(writing, Notices(writing, quiet=True))
    aside.start()
    aside.server_writes()
    aside.put(b"text\n")
    aside.receiver_gone()
    assert aside.room < 0
    assert aside.wait(PATIENCE_S)
    os.close(writing)
