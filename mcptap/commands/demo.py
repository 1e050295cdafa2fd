"""`mcptap demo`: a server that fails in silence, and what mcptap says about it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

from mcptap.captures.open import RecordingSource
from mcptap.commands.options import Parser
from mcptap.errors import UserError
from mcptap.query import parse
from mcptap.recording.format.model import RecordingError
from mcptap.recording.library import search
from mcptap.report.transcript import Transcript
from mcptap.text.terminal import Terminal

NAME = "mcptap-demo"
EVIDENCE = parse("kind:pollution or (kind:request status:unreadable)")
"""What of the session is shown: the request that hung, and the line that was its answer."""

SELF = [sys.executable, "-P", "-m", "mcptap"]
"""How this mcptap is started. `-P`: modules in the folder where the user stands are not ours."""

INTRODUCTION = """\
A server with two ordinary mistakes in it, and an agent that uses it. mcptap
stands between them, as it would between yours:
"""
SILENCE = """
The agent waits for an answer that never comes, and can't say why. Its users see
a tool that hangs. The recording has what really went over the wire:
"""
RECORDED = """
It is a file of JSON lines, which mcptap can judge:

"""
NEXT = """
Now with your own server: `mcptap setup` puts mcptap in front of it, in your
agent's settings. Use the agent as always, and then

  {ls}            lists what was recorded
  {show}   shows the newest session, line by line
  {check}  says what went wrong in it

And to find out more about a server, or to do without one:

  {probe}   asks it what clients ask, and what none would
  {send}        plays the newest client to it again
  {mock}        stands in for it, for the client at hand

And now look at the session above on the screen; browse, search, play:

  {replay}
"""


def main(arguments: list[str]) -> int:
    """Play the demonstration; return the exit status."""
    parser = Parser(
        prog="mcptap demo",
        description="Play an agent against a server that fails in silence, and find out why. "
        "Needs nothing else, and no network.",
    )
    parser.parse_args(arguments)
    from mcptap.play.demo.agent import SERVER

    terminal = Terminal(sys.stdout)
    command = [*SELF, "run", "--name", NAME, "--", sys.executable, SERVER]
    shown = f"mcptap run --name {NAME} -- python {os.path.basename(SERVER)}"
    print(INTRODUCTION)
    print("  " + terminal.paint(shown, "bold"), end="\n\n", flush=True)
    _play(command, terminal)
    path = _recording()
    print(SILENCE)
    for line in _evidence(path, terminal):
        print(line)
    print(
        f"{RECORDED}  {_short(path)}\n\n  " + terminal.paint("mcptap check latest", "bold"),
        end="\n\n",
        flush=True,
    )
    status = subprocess.run([*SELF, "check", path], check=False).returncode
    commands = {name: terminal.paint(text, "bold") for name, text in _COMMANDS.items()}
    print(NEXT.format(**commands), end="")
    return 0 if status == 1 else 1


_COMMANDS = {
    "ls": "mcptap ls",
    "show": "mcptap show latest",
    "check": "mcptap check latest",
    "replay": "mcptap replay latest",
    "probe": "mcptap probe -- COMMAND",
    "send": "mcptap send latest",
    "mock": "mcptap mock latest",
}


def _play(command: Sequence[str], terminal: Terminal) -> None:
    """Let the agent use the server, and say what it sees."""
    import trio

    from mcptap.play.demo.agent import TIMEOUT_S, play

    async def tell() -> None:
        async for step in play(command):
            if step.result is None:
                got = terminal.paint(f"no answer; gave up after {TIMEOUT_S} s", "error")
            else:
                got = terminal.fit(step.result, 24)
            print(f"  agent: {step.action:15} {got}", flush=True)

    trio.run(tell)


def _recording() -> str:
    """The recording that our own process was the parent of."""
    for path in search().paths:
        try:
            with RecordingSource(path) as reader:
                if reader.header.parent.get("pid") == os.getpid():
                    return path
        except RecordingError:
            continue
    raise UserError("the demo's session was not recorded: run mcptap run by hand to see why")


def _evidence(path: str, terminal: Terminal) -> list[str]:
    """The lines of the transcript that show why it hung."""
    with RecordingSource(path) as reader:
        transcript = Transcript(reader, terminal)
        rows = [transcript.take(item) for item in reader.items()]
        return [transcript.line(row) for row in rows if EVIDENCE.matches(row)]


def _short(path: str) -> str:
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if path.startswith(home + os.sep) else path
