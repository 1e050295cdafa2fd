"""What is different on Windows: programs that are batch files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcptap.diagnosis.explain.launchers import stem
from mcptap.setup.doctor.check import WARNING, About, Said, check
from mcptap.setup.doctor.finding import Effect
from mcptap.setup.doctor.subject import ExaminedEntry

_BATCH = frozenset({"npx", "npm", "pnpm", "yarn", "pnpx", "corepack", "tsx", "ts-node"})
"""Programs that Node installs as `.cmd` on Windows."""
_META = re.compile(r'[%!^"&|<>]')


def _is_batch(one: ExaminedEntry) -> bool:
    program = (one.argv or [""])[0].lower()
    return program.endswith((".cmd", ".bat")) or (stem(program) in _BATCH and not program.endswith(".exe"))


@check("batch-file", WARNING, About.SERVER, "a batch file of Windows that the client may not find")
def batch(one: ExaminedEntry) -> Iterator[Said]:
    fact = one.client.habits.starts_batch
    if not one.machine.is_windows or one.entry.wrapped or not _is_batch(one) or fact.value:
        return
    name, program = one.client.name, stem(one.argv[0])
    yield Said(
        f"{program} is a .cmd on Windows, which can't be started as a program",
        Effect(f"{name} does not start it through cmd.exe", fact)
        if fact.value is False
        else Effect(f"whether {name} finds it, and starts it through cmd.exe, is not known"),
        f'Write "cmd" for the command, and "/c", "{program}" before the other arguments; or let mcptap wrap '
        "it, which does this",
        at=one.entry.command_node,
    )


@check(
    "batch-arguments",
    WARNING,
    About.SERVER,
    "signs that cmd.exe takes for its own, in arguments of a batch file",
)
def quoting(one: ExaminedEntry) -> Iterator[Said]:
    shell = stem((one.argv or [""])[0]) == "cmd"
    if not one.machine.is_windows or one.entry.wrapped or not (_is_batch(one) or shell):
        return
    for node, word in one.words()[1:]:
        if _META.search(word):
            yield Said(
                "The argument has signs that cmd.exe takes for its own",
                Effect("how they reach the server depends on how the client quotes them"),
                "Pass the value in a variable, or in a file",
                at=node,
            )
