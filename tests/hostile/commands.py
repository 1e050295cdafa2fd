"""All commands that read recordings, in this process, as a mutated file meets them."""

from __future__ import annotations

import io
import os
import pickle
import signal
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path

from mcptap.captures.open import open_source
from mcptap.commands import main
from mcptap.play.client import client_script
from mcptap.play.client.client_script import ClientLine
from mcptap.play.mock.mock import Mock, Planned
from mcptap.play.mock.server_script import Exit, script_of
from mcptap.play.send import transcript
from mcptap.play.send.actions import Pace, Send, Wait
from mcptap.play.send.conversation import Conversation
from mcptap.recording.format.model import Line
from mcptap.tui.index.indexer import Indexer
from mcptap.tui.index.loaded import load
from mcptap.tui.index.rows import make_row
from mcptap.wire import CLIENT_TO_SERVER
from tests.tui.screens import fed

STATUSES = (0, 1, 2)
"""What commands may end with."""

READING = (
    ("check",),
    ("check", "--stats"),
    ("check", "--json", "--stats"),
    ("check", "--sarif"),
    ("check", "--github", "--design"),
    ("show",),
    ("show", "--full", "--unmasked"),
    ("show", "--filter", "tools or status:error or latency>1"),
    ("show", "--raw", "s2c"),
    ("ls",),
    ("ls", "--json"),
    ("diff", "--json"),
    ("diff",),
)
"""Commands of which each is given a recording (`ls` its folder, `diff` also another recording)."""


def run(arguments: list[str]) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of a command."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(arguments)
        except SystemExit as error:
            status = int(error.code or 0)
    texts = [stream.buffer.getvalue().decode(errors="replace") for stream in (out, err)]  # type: ignore[attr-defined]
    return status, texts[0], texts[1]


def read_with(command: tuple[str, ...], path: Path, other: Path) -> str:
    """Let a command read a recording; returns what it printed. Its status has to be one of ours."""
    name, *options = command
    if name == "ls":
        targets = [str(path.parent) + "/"]
    elif name == "diff":
        targets = [str(path), str(other)]
    else:
        targets = [str(path)]
    config = ["--no-config"] if name == "check" else []
    status, out, err = run([name, *options, *config, *targets])
    assert status in STATUSES, (status, err)
    assert status != 2 or err, "status 2 without a word"
    return out


def index(path: Path) -> None:
    """What the screen does with a recording: its index, what is sent of it, each row, each record in full."""
    feed = fed(os.fspath(path))
    try:
        pickle.loads(pickle.dumps(feed.findings))
        for i in range(len(feed.index)):
            make_row(feed.index, i)
            load(feed.index, i)
    finally:
        feed.close()


def stand_in(path: Path) -> None:
    """What mock does with a recording, but for the process: start, each line of its client, the end."""
    with closing(open_source(str(path))) as source:
        items = list(source.items())
        mock = Mock(script_of(items, source.unfinished()))
    mock.start()
    for item in items:
        if isinstance(item, Line) and item.channel == CLIENT_TO_SERVER:
            mock.receive(item.raw)
    ends = [action.step for action in mock.end_of_input() if isinstance(action, Planned)]
    assert all(
        hasattr(signal.Signals, step.signal) for step in ends if isinstance(step, Exit) and step.signal
    )


def send(path: Path) -> None:
    """What send does with a recording, but for the process: each line, the recorded answers, the end."""
    script = client_script.load(str(path))
    talk = Conversation(script, Pace.SEEN, timeout_us=1000)
    answers = [m.line for e in script.entries if isinstance(e, ClientLine) for m in e.responses.values()]
    now = 0
    for line in [*answers, None]:
        for _ in range(len(script.entries) + 2):
            action = talk.next(now)
            if isinstance(action, Wait):
                break
            if isinstance(action, Send):
                transcript.shorten(transcript.sent(action.data, None), 50)
        now += 2000
        if line is not None:
            talk.take_line(line, now)
    talk.take_end()


def index_only(path: Path) -> None:
    """What the process beside the screen does with a recording; nothing is kept of what it reports."""
    indexer = Indexer(str(path), lambda report: pickle.dumps(report) and None)
    indexer.step()
    indexer.judge(live=False)
    indexer.close()
