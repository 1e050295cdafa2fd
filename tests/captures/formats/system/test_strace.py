"""Sessions out of system calls: which process is the server, and what of it is known."""

from __future__ import annotations

import json

from mcptap.recording.format.lines import OUTLINE
from mcptap.recording.format.model import Damaged, Event, Item, Line
from mcptap.recording.reader import State
from tests.captures.reading import ANSWER, INITIALIZE, read


def call(name: str, descriptor: int, data: str, pid: int = 1, cut: int = 0, at: float = 0) -> str:
    shown = json.dumps(data[:cut] if cut else data, ensure_ascii=False) + ("..." if cut else "")
    size = len(data.encode())
    return f"[pid {pid}] {1773480413 + at:.6f} {name}({descriptor}, {shown}, {size}) = {size}"


def kinds(items: list[Item]) -> list[str]:
    return [item.channel if isinstance(item, Line) else getattr(item, "kind", "damaged") for item in items]


ASKED = call("read", 0, f"{INITIALIZE}\n")


def test_bytes_become_lines_however_they_were_passed():
    source, items = read(
        "\n".join(
            [
                call("read", 0, f"{INITIALIZE}\r\n{INITIALIZE}\n", at=1),
                call("write", 1, "ready ", at=2),
                call("write", 1, f"{ANSWER}\n\n", at=2.5),
                call("read", 0, ""),
                "[pid 1] +++ exited with 0 +++",
            ]
        )
    )
    assert kinds(items) == ["c2s", "c2s", "s2c", "s2c", "eof", "exit"]
    assert [item.eol for item in items[:2]] == [b"\r\n", b"\n"]
    assert (items[2].data, items[2].first_us, items[2].t_us) == (
        f"ready {ANSWER}".encode(),
        1_000_000,
        1_500_000,
    )
    assert (source.state(), source.evidence.framing, source.evidence.times) == (State.FINISHED, True, True)


def test_the_server_is_who_passes_messages_and_what_it_wrote_before_counts():
    source, items = read(
        "\n".join(
            [
                '[pid 1] execve("/bin/node", ["node", "x.js"], 0x7 /* 3 vars */) = 0',
                call("write", 1, "Server ready\n"),
                call("write", 1, "/usr/bin/readlink\n", pid=2),
                call("write", 2, "loading\n"),
                ASKED,
                call("write", 1, "of another process\n", pid=2),
                call("write", 1, f"{ANSWER}\n", pid=3),
                call("write", 5, "a file\n"),
                "[pid 1] --- SIGCHLD {si_signo=SIGCHLD, si_pid=2} ---",
                "[pid 1] --- SIGTERM {si_signo=SIGTERM, si_pid=9} ---",
                "[pid 3] +++ exited with 0 +++",
                "[pid 1] +++ killed by SIGTERM +++",
            ]
        )
    )
    assert kinds(items) == ["s2c", "stderr", "c2s", "s2c", "log", "exit"]
    assert source.header.argv == ["node", "x.js"]
    assert items[-1].fields["signal"] == "SIGTERM"
    assert source.passed_over == 1


def test_of_an_answer_that_is_cut_its_id_is_known_and_what_follows_may_be_its_rest():
    _, items = read(
        "\n".join(
            [
                ASKED,
                call("write", 1, f"{ANSWER}\n", cut=20),
                call("write", 1, "reading store... "),
                call("write", 1, f"{ANSWER}\n"),
                call("write", 1, f"{ANSWER}\n"),
            ]
        )
    )
    assert kinds(items) == ["c2s", "damaged", "damaged", "s2c"]
    whole = '{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}\n'
    source, items = read("\n".join([ASKED, call("write", 1, whole, cut=45), call("write", 1, f"{ANSWER}\n")]))
    assert kinds(items) == ["c2s", "s2c", "damaged", "s2c"]
    assert (items[1].known, items[1].value) == (OUTLINE, {"jsonrpc": "2.0", "id": 1, "result": {}})
    assert not source.evidence.framing


def test_a_line_that_never_ended_is_told_as_such_and_a_closed_reader_too():
    source, items = read(
        "\n".join([ASKED, call("write", 1, "half"), '[pid 1] write(1, "x", 1) = -1 EPIPE (B)'])
    )
    assert [(line.data, line.complete) for line in source.unfinished()] == [(b"half", False)]
    assert items[-1].fields["text"] == "nobody read s2c any more (EPIPE)"
    assert source.state() is State.UNKNOWN


def test_lines_of_other_programs_are_passed_over():
    source, items = read("\n".join([ASKED, "what?", call("write", 1, f"{ANSWER}\n")]))
    assert [type(item) for item in items] == [Line, Line]
    assert source.passed_over == 1
    assert not any(isinstance(item, (Damaged, Event)) for item in items)
