"""`mcptap check`: what is wrong in recordings, why the agent went silent, and what to do."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from mcptap.commands.checking.expecting import add_expectations, expected_by
from mcptap.commands.checking.settings import Settings, load
from mcptap.commands.forms.also import add_also, write_also
from mcptap.commands.locking.option import add_lock, load_lock
from mcptap.commands.options import LEVELS, Parser, add_channels, add_unmasked, named
from mcptap.commands.output import tell
from mcptap.errors import UserError
from mcptap.report import formats

if TYPE_CHECKING:
    from mcptap.diagnosis.engine.finding import Level
    from mcptap.diagnosis.engine.selection import Selection
    from mcptap.protocol.contract.lock import Lock
    from mcptap.protocol.expectations.expectation import Expectation
    from mcptap.report.results import Results

CLEAN, FOUND, UNUSABLE_INPUT = 0, 1, 2
"""The exit statuses."""

EPILOG = """FILE is a recording, a folder of recordings, `latest` or `-` for standard input. What mcptap
probe recorded is passed over by `latest`: `latest-probe`. What other tools wrote down is read as well:
what Claude Desktop, Claude Code, Cursor, VS Code, Zed and others log (mcptap logs finds them), servers'
own logs, recordings of glassport, mcpdump, mcp-rec, mcpsnoop and others, what
strace -f -e trace=read,write -s 999999 prints, and typescripts of script. FILE#2 is the second session in
one. What tee wrote of one side is named with its channel: --channel s2c FILE, or s2c=FILE in every command.

The first line says what became of the session: nothing is wrong, a request waits, calls failed, not
enough was seen to say, or what broke and why. The second, if there is one, what the file can't tell.

check takes at most 300 MB of memory, or three times the longest message if that is more. Of a message
of more than 16 MB, or of more than 500,000 values, only the outline is judged; of requests that are
open at once 100,000 are followed, of a list 10,000 entries looked at. The report says where that was so.

Exit status: 0 nothing found (or only below --fail-on), 1 something found, 2 unusable input.
What is expected is judged in each file that shows it. If none does (no tools/list, a list not read to its
end, a log without times, or with whole seconds), it counts as not met: expectation-unjudged, an error. Only a
limit of the settings file under which nothing fell is a note.
Settings for a project stand in .mcptap.toml or pyproject.toml, see --help-settings."""


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.help_formats:
        from mcptap.captures.formats import formats as readable

        print("\n".join(["recordings of mcptap", *sorted((one.name for one in readable()), key=str.lower)]))
        return CLEAN
    if options.help_settings or options.schema:
        _explain(options.schema)
        return CLEAN
    if not options.files:
        parser.error("name a FILE, a folder, `latest` or `-`")
    settings = Settings() if options.no_config else load(os.getcwd(), tell)
    expected = expected_by(options, settings.expected)
    selection = _selection(options, settings, bool(expected))
    fail_on = _fail_level(options.fail_on or settings.fail_on or "warning")

    lock_name = options.lock or settings.lock
    lock = None if lock_name is None else load_lock(lock_name)

    from mcptap.report.results import Results
    from mcptap.text.terminal import Terminal

    results = Results(design_counts=options.design or settings.design, fail_on=fail_on)
    if options.others and len(options.files) > 1:
        raise UserError("--with belongs to one session: name one FILE")
    names = [named(path, options) for path in options.files]
    named_files = ((name, True) for name in names) if options.channel else _files(names)
    for path, is_named in named_files:
        _check(path, is_named, selection, results, options, expected, lock)
    results.drop_judged_elsewhere()
    if not results.files and not results.unusable:
        raise UserError("none of the folders holds a recording")
    for line in formats.load(options.format).write(results, Terminal(sys.stdout)):
        print(line)
    write_also(options.also, lambda form, terminal: formats.load(form).write(results, terminal))
    if results.unusable:
        return UNUSABLE_INPUT
    if (options.fail_on_open or settings.fail_on_open) and any(file.open_requests for file in results.files):
        return FOUND
    level = results.worst()
    return FOUND if fail_on is not None and level is not None and level >= fail_on else CLEAN


def _parser() -> Parser:
    parser = Parser(
        prog="mcptap check",
        description="Say what is wrong in recordings of MCP sessions: root causes first, with remedies.",
        epilog=EPILOG,
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="recordings, folders, `latest`, `-`")
    parser.add_argument(
        "--format", choices=formats.NAMES, default=formats.NAMES[0], help="form of the report (default: text)"
    )
    for name in formats.NAMES[1:]:
        parser.add_argument(
            f"--{name}", dest="format", action="store_const", const=name, help=f"the same as --format {name}"
        )
    parser.add_argument("--min-level", choices=LEVELS, help="leave out findings below this level")
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="RULE",
        help="leave out a rule, or a pattern like 'tool-*'",
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="RULE", help="report these rules or patterns alone"
    )
    parser.add_argument(
        "--fail-on",
        choices=(*LEVELS, "never"),
        help="lowest level that makes the exit status 1 (default: warning)",
    )
    parser.add_argument(
        "--fail-on-open",
        action="store_true",
        help="make the exit status 1 also if a request is, or was at the end, without an answer",
    )
    parser.add_argument("--design", action="store_true", help="let findings about tool design fail the check")
    add_also(parser)
    add_expectations(parser)
    parser.add_argument("--stats", action="store_true", help="add numbers: calls, latencies, sizes, start-up")
    add_lock(parser)
    add_channels(parser)
    add_unmasked(parser)
    parser.add_argument("--no-config", action="store_true", help="read no .mcptap.toml or pyproject.toml")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of --json, and exit")
    parser.add_argument("--help-formats", action="store_true", help="list what else than recordings is read")
    parser.add_argument("--help-settings", action="store_true", help="explain the settings file, and exit")
    return parser


def _explain(schema: bool) -> None:
    if schema:
        from mcptap.report.formats.json import schema_text

        print(schema_text())
    else:
        import mcptap.commands.checking.settings as settings_module

        print(settings_module.__doc__ or "", end="")


def _selection(options: argparse.Namespace, settings: Settings, expects: bool) -> Selection:
    """The rules that are wanted; who asks for some alone still hears of what they expect."""
    from mcptap.diagnosis.catalogue import rules_of_expectations
    from mcptap.diagnosis.engine.selection import Selection

    where = f" (in {settings.path})" if settings.path else ""
    for pattern in (*options.ignore, *options.only):
        _require_rule(pattern, "")
    for pattern in settings.ignore:
        _require_rule(pattern, where)
    return Selection(
        _level(options.min_level or settings.min_level or "info"),
        (*options.ignore, *settings.ignore),
        (*options.only, *(rules_of_expectations() if options.only and expects else ())),
    )


def _require_rule(pattern: str, where: str) -> None:
    from mcptap.diagnosis.catalogue import is_known

    if not is_known(pattern):
        raise UserError(f"there is no rule {pattern!r}{where}; mcptap rules lists them")


def _level(name: str) -> Level:
    from mcptap.diagnosis.engine.finding import Level

    return Level[name.upper()]


def _fail_level(name: str) -> Level | None:
    return None if name == "never" else _level(name)


def _files(targets: list[str]) -> Iterator[tuple[str, bool]]:
    """The paths to check, and whether each was named itself rather than found in a folder."""
    from mcptap.captures.open import SUFFIXES
    from mcptap.recording.library import find, search

    for target in targets:
        if target != "-" and os.path.isdir(target):
            found = search([target], SUFFIXES)
            if found.ignored:
                tell(found.ignored_words())
            yield from ((path, False) for path in sorted(found.paths))
        else:
            yield find(target, tell), True


def _check(
    path: str,
    is_named: bool,
    selection: Selection,
    results: Results,
    options: argparse.Namespace,
    expected: Sequence[Expectation],
    lock: Lock | None,
) -> None:
    """Judge one file and add it to the results; one that can't be judged only if it was named itself."""
    from mcptap.captures.open import open_sources
    from mcptap.recording import made_here
    from mcptap.recording.format.model import RecordingError
    from mcptap.recording.paths import SUFFIX
    from mcptap.report.check_file import check_file
    from mcptap.report.progress import Progress
    from mcptap.report.results import UnusableFile

    masker = None if options.unmasked else made_here.masker()
    found, why = 0, None
    try:
        for source in open_sources(path):
            with closing(source), Progress(source, sys.stderr) as progress:
                try:
                    checked = check_file(
                        source, selection, progress.step, options.stats, masker, expected, lock
                    )
                except RecordingError as error:  # of several sessions one may hold nothing
                    why = error
                else:
                    found += 1
                    results.files.append(checked)
        if why is not None and not found:
            raise why
    except RecordingError as error:
        if is_named or path.endswith(SUFFIX):  # a folder may hold much that is no capture
            tell(f"{error}{'' if is_named else '; skipped'}")
        if is_named:
            results.unusable.append(UnusableFile(path, str(error)))
