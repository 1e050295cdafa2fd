import os
import subprocess
import sys

import pytest

from mcptap.play.server.process_tree import (
    OwnProcess,
    ProcessEntry,
    all_processes,
    parse_stat,
    tree_members,
)

OWN = OwnProcess(pid=1, session=1, adopts=True)
ORPHANS = """
import os, sys
from mcptap.play.server.process_tree import adopting_orphans

def orphan_is_ours():
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        if os.fork() == 0:
            os.close(write)
            os.read(read, 1)  # until the one that waits below has seen who the parent is
            os._exit(0)
        os._exit(0)
    os.waitpid(child, 0)
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return True
    except ChildProcessError:
        return False
    finally:
        os.close(write)

with adopting_orphans():
    with adopting_orphans():
        pass
    inside = orphan_is_ours()
    os.wait()
print(inside, orphan_is_ours())
"""


def entry(pid, parent=0, session=0, started=10, state="S"):
    return ProcessEntry(pid, state, parent, session, started)


def test_the_tree_of_a_server_are_its_session_their_children_and_orphans_of_other_sessions():
    found = tree_members(
        5,
        [
            entry(5, 1, 5),
            entry(6, 99, 5),
            entry(7, 6, 7),
            entry(8, 1, 8),
            entry(9, 1, 1),
            entry(10, 99, 99),
            entry(11, 6, 5, started=3),
        ],
        OWN,
        since=10,
    )
    assert [p.pid for p in found] == [6, 7, 8]


def test_orphans_are_nobody_in_particulars_where_other_servers_live():
    own = OwnProcess(pid=1, session=1, adopts=False)
    assert tree_members(5, [entry(8, 1, 8)], own, since=10) == []


def test_a_name_with_spaces_and_parentheses_is_no_trouble():
    fields = " ".join(["S", "2", "3", "4", *["0"] * 15, "77", "0"])
    assert parse_stat(f"12 (a (b) c) {fields}") == ProcessEntry(12, "S", 2, 4, 77)
    assert parse_stat("no stat at all") is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc and subreapers")
def test_this_process_is_seen():
    assert os.getpid() in {p.pid for p in all_processes()}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has subreapers")
def test_orphans_are_adopted_within_the_block_only():
    done = subprocess.run(
        [sys.executable, "-c", ORPHANS], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "True False\n", done.stderr


LEFT_BEHIND = """
import os, sys
from mcptap.play.server.process_tree import several_servers

read, write = os.pipe()
with several_servers():
    if (child := os.fork()) == 0:
        os.setsid()  # a server
        if os.fork() == 0:
            os.setsid()  # its daemon, which holds the pipe open as long as it lives
            os.close(read)
            while True:
                os.read(0, 1)
        os._exit(0)
    os.waitpid(child, 0)
    os.close(write)
print(os.read(read, 1))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has subreapers")
def test_daemons_of_one_of_several_servers_do_not_outlive_them_all():
    command = [sys.executable, "-c", LEFT_BEHIND]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as done:
        assert done.stdout is not None
        assert done.stdout.readline() == "b''\n"
