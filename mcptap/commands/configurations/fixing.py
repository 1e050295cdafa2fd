"""`mcptap doctor --fix`: the repairs shown, the question, and the writing."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mcptap.commands.output import print_lines, tell
from mcptap.commands.terminal import agrees
from mcptap.errors import UserError
from mcptap.text.escape import decoded, visible
from mcptap.text.units import counted

if TYPE_CHECKING:
    from mcptap.setup.doctor.finding import Finding
    from mcptap.setup.doctor.repair import Repair
    from mcptap.setup.doctor.subject import ExaminedFile


def fix(files: Sequence[ExaminedFile], findings: Sequence[Finding], options: Namespace) -> list[Finding]:
    """Show the repairs, ask and make them; return what was repaired. Raises UserError.

    A file that others share is changed only if it was named.
    """
    from mcptap.setup.doctor.repair import plan

    repairs = []
    for file in files:
        if file.shared and not options.config:
            if any(one.fix is not None and one.file == file.path for one in findings):
                tell(f"{file.path} is a project's file, which others share: --config names it")
            continue
        repair = plan(file, findings)
        if repair is not None:
            repairs.append(repair)
    if not repairs:
        tell("there is nothing that has one certain repair")
        return []
    # With --json, stdout is for the result alone.
    lines = [line for repair in repairs for line in _lines(repair)]
    if options.json:
        for line in lines:
            print(line, file=sys.stderr)
    else:
        print_lines(lines)
    sys.stdout.flush()
    if not options.yes:
        agreed = agrees(
            (),
            f"Make {counted(sum(len(repair.findings) for repair in repairs), 'repair')}?",
            "nothing is repaired without a yes, and there is no terminal to ask on; --yes says yes",
        )
        if not agreed:
            raise UserError("nothing was changed")
    _make(repairs)
    return [finding for repair in repairs for finding in repair.findings]


def _lines(repair: Repair) -> Iterator[str]:
    """What is done, and the bytes that change, but for those that may hold a secret."""
    yield visible(str(repair.file.path))
    for finding in repair.findings:
        assert finding.fix is not None
        where = ", ".join(
            part for part in (finding.server, f"line {finding.line}" if finding.line else "") if part
        )
        yield visible(f"  {where}: {finding.fix.words}")
        for edit in () if finding.fix.hidden else finding.fix.edits:
            old = repair.target.data[edit.start : edit.end]
            if old.strip():
                yield f"    - {decoded(old)}"
            if edit.new.strip():
                yield f"    + {decoded(edit.new)}"


def _make(repairs: Sequence[Repair]) -> None:
    from mcptap.setup.files import replace
    from mcptap.setup.state import lock

    with lock(tell):
        for done, repair in enumerate(repairs):
            try:
                backup = replace(repair.target, repair.new)
            except UserError as error:
                others = f" ({counted(done, 'other file')} changed before)" if done else ""
                raise UserError(f"{error}{others}", *error.details) from error
            count = counted(len(repair.findings), "repair")
            tell(f"wrote {repair.file.path} ({count}); as it was: {backup}")
