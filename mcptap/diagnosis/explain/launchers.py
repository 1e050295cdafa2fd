"""What a command line alone says about a server that never answered: containers, runners, shells, ssh."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

_CONTAINERS = frozenset({"docker", "podman", "nerdctl", "finch", "kubectl", "oc"})
_COMPOSE = frozenset({"docker-compose", "podman-compose"})
RUNNERS = {
    "npx": "npx", "bunx": "bunx", "uvx": "uvx", "pipx": "pipx", "uv": "uv run", "pnpm": "pnpm dlx",
    "yarn": "yarn dlx", "npm": "npm exec", "bun": "bun x", "dnx": "dnx",
}  # fmt: skip
RUNNER_WORDS = {
    "uv": {"run", "tool"}, "pnpm": {"dlx", "exec"}, "yarn": {"dlx", "exec"}, "npm": {"exec", "x"},
    "bun": {"x"}, "pipx": {"run"},
}  # fmt: skip
"""Runners that do other things as well, and the words with which they fetch a package and run it."""
_BUILDERS = {
    "cargo": "run",
    "go": "run",
    "dotnet": "run",
    "gradle": "run",
    "mvn": "exec:java",
    "swift": "run",
}
SHELLS = frozenset(
    {"sh", "bash", "zsh", "dash", "fish", "ksh", "cmd", "cmd.exe", "powershell", "pwsh", "powershell.exe"}
)
_INTERPRETER = re.compile(r"^(?:python[\d.]*|node|nodejs|ruby|php|perl|deno|bun|lua)$")
_NO_PROGRAM = re.compile(r"^-(?:[iuqBEsSlIx]*|-login|-interactive|-norc|-noprofile)$")
"""Words of an interpreter or a shell that name no program."""
_FOLDERS = frozenset({"--directory", "--cwd", "--prefix", "-C", "--chdir"})
"""Options that change the folder in which a program looks."""
_LOGIN = re.compile(r"^(?:-[a-z]*[li][a-z]*|--login|--interactive)$")
_ASSIGNMENT = re.compile(r"^\w+=")
_SWITCHES = frozenset({
    "--rm", "--init", "--privileged", "--read-only", "--quiet", "--sig-proxy", "--no-healthcheck",
    "--no-deps", "--publish-all", "--interactive", "--tty", "--no-tty", "--detach", "--stdin", "--build",
    "--service-ports", "--remove-orphans",
})  # fmt: skip
"""Long options of containers that take no value."""
_FLAGS = frozenset("itdPqT")
"""The same, short."""


class Options(NamedTuple):
    """What the options of a container say about its streams."""

    interactive: bool
    terminal: bool
    detached: bool


def stem(word: str) -> str:
    """The name of a program without its folder and `.exe`."""
    return re.split(r"[\\/]", word)[-1].lower().removesuffix(".exe").removesuffix(".cmd")


def unwrapped(argv: Sequence[str]) -> list[str]:
    """The command that is run in the end: without `env`, `cmd /c` and `sh -c` around it."""
    words = list(argv)
    for _ in range(4):
        if len(words) < 2:
            break
        name = stem(words[0])
        if name in ("env", "exec", "nohup", "sudo", "time"):
            words = words[1:]
            while words and (_ASSIGNMENT.match(words[0]) or words[0].startswith("-")):
                words = words[1:]
        elif name == "cmd" and words[1].lower() in ("/c", "/k"):
            words = words[2:]
        elif name in SHELLS and len(words) > 2 and re.match(r"^-[a-z]*c$", words[1]):
            try:
                words = shlex.split(words[2])
            except ValueError:
                break
        else:
            break
    return words


def runs_elsewhere(argv: Sequence[str]) -> bool:
    """Whether the paths of a command line are those of a container, another machine or another folder."""
    words = unwrapped(argv)
    name = stem(words[0]) if words else ""
    if name in _CONTAINERS or name in _COMPOSE or name in ("ssh", "wsl", "limactl", "vagrant"):
        return True
    return any(word.partition("=")[0] in _FOLDERS for word in words[1:])


def no_server(argv: Sequence[str], *, ended: bool = False) -> str:
    """Why a command line can't bring the client's messages to a server at all; empty if it may."""
    words = unwrapped(argv)
    if not words:
        return ""
    name, rest = stem(words[0]), words[1:]
    if name in _CONTAINERS or name in _COMPOSE:
        return _container(name, rest, ended)
    if (_INTERPRETER.match(name) or name in SHELLS) and all(map(_NO_PROGRAM.match, rest)):
        return f"`{name}` is given no program, so it takes the client's messages for its language"
    return ""


def launch_hint(argv: Sequence[str], *, ended: bool, telling: str = "", program: str = "") -> str:
    """Why a server that was launched so says nothing, or ended before it did; empty if not known."""
    words = unwrapped(argv)
    if not words:
        return ""
    name, rest = stem(words[0]), words[1:]
    if ended and "No module named" in telling:
        return f"the Python that ran is {program}" if program and stem(program).startswith("python") else ""
    nowhere = no_server(argv, ended=ended)
    if nowhere or ended:
        return nowhere
    if name in _CONTAINERS:
        return terminal_hint(argv)
    if name == "ssh":
        return "ssh may ask for a password or about the host, which nobody sees: try it with -o BatchMode=yes"
    runner = fetches(argv)
    if runner:
        return f"{runner} may still be fetching the package: run it once by hand, or install the package"
    if rest and _BUILDERS.get(name) == rest[0]:
        return f"{name} {rest[0]} may still be building: build it once by hand, and start the result"
    return ""


def fetches(argv: Sequence[str]) -> str:
    """The runner that fetches a package at its first start: `npx`, `uv run`; empty if none does."""
    words = unwrapped(argv)
    name = stem(words[0]) if words else ""
    if name not in RUNNERS or (name in RUNNER_WORDS and not RUNNER_WORDS[name] & set(words[1:3])):
        return ""
    return RUNNERS[name]


def interpreter_of(argv: Sequence[str]) -> str:
    """The interpreter of a language that runs a script; empty if the program is none."""
    name = stem(argv[0]) if argv else ""
    return name if _INTERPRETER.match(name) or name in ("dotnet", "java", "tsx", "ts-node") else ""


def terminal_hint(argv: Sequence[str]) -> str:
    """What in a command line puts a terminal in between, which echoes what it is sent; empty if nothing."""
    words = unwrapped(argv)
    name = stem(words[0]) if words else ""
    if name == "ssh" and any(re.match(r"^-[A-Za-z]*t", word) for word in words[1:]):
        return "`ssh -t` puts a terminal in between, which echoes: leave it out"
    if name in _CONTAINERS and _options(words[1:])[1].terminal:
        return f"`{name} … -t` puts a terminal in between, which echoes: leave it out, and keep `-i`"
    if name in ("script", "unbuffer", "socat", "expect", "winpty"):
        return f"`{name}` puts a terminal in between, which echoes"
    return "`cat` sends back what it is given: it stands where the server should" if name == "cat" else ""


def login_shell(argv: Sequence[str]) -> str:
    """The login or interactive shell that runs the server, with its option; empty if none does."""
    for word, following in pairwise(argv):
        if stem(word) in SHELLS and _LOGIN.match(following):
            return f"{stem(word)} {following}"
    return ""


def _container(name: str, rest: list[str], ended: bool) -> str:
    compose = name in _COMPOSE or "compose" in rest[:1]
    verb, options = _options(rest[1:] if rest[:1] == ["compose"] else rest)
    shown = f"{name} compose {verb}" if compose and name not in _COMPOSE else f"{name} {verb}"
    if compose:
        if verb in ("up", "start"):
            return f"`{shown}` does not connect the client with the server's input: use `run --rm -T`"
        return f"`{shown} -d` leaves at once: leave out `-d`" if options.detached else ""
    if verb not in ("run", "exec", "start", "attach"):
        return ""
    if options.detached:
        return f"`{shown} -d` leaves the container behind and gives it no input: leave out `-d`, and add `-i`"
    if not options.interactive and verb != "attach":
        how = "its input ended at once" if ended else "it gets nothing of what the client writes"
        return f"`{shown}` without `-i`: {how}; add `-i`"
    return ""


def _options(words: Sequence[str]) -> tuple[str, Options]:
    """The command of a container engine (`run`, `exec` …), and what its options say."""
    verb, letters, names = "", "", set()
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("--"):
            option, given, value = word.partition("=")
            if value != "false":
                names.add(option)
            skip = not given and option not in _SWITCHES
        elif word.startswith("-") and len(word) > 1:
            flags = word[1:].partition("=")[0]
            letters += (
                "".join(letter for letter in flags if letter in _FLAGS) if _FLAGS.issuperset(flags) else ""
            )
            skip = len(flags) == 1 and flags not in _FLAGS
        elif verb:
            break  # the image
        elif word not in ("container",):
            verb = word
    return verb, Options(
        "i" in letters or not names.isdisjoint({"--interactive", "--stdin"}),
        "t" in letters or "--tty" in names,
        "d" in letters or "--detach" in names,
    )
