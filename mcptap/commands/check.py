"""`mcptap check`: what is wrong in recordings, why the agent went silent, and what to do."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcptap.commands.check_settings import LEVELS, Settings, load
from mcptap.errors import UserError

if TYPE_CHECKING:
    from mcptap.diagnosis.engine.finding import Level
    from mcptap.diagnosis.engine.selection import Selection
    from mcptap.report.checked import Checked, Unusable

SUFFIX = ".jsonl"
CLEAN, FOUND, UNUSABLE_INPUT = 0, 1, 2
"""The exit statuses."""

FORMATS = ("text", "json", "sarif", "github")
EPILOG = """FILE is a recording, a folder of recordings, `latest` or `-` for standard input. Captures of
other tools are read as well: bare JSON-RPC lines, transcripts with --> and <--, JSON lines
with "dir" and "raw", and the recordings of mcpsnoop and mcp-cassette.

Exit status: 0 nothing found (or only below --fail-on), 1 something found, 2 unusable input.
Settings for a project stand in .mcptap.toml or pyproject.toml, see --help-settings."""


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.help_settings or options.schema:
        _explain(options.schema)
        return CLEAN
    if not options.files:
        parser.error("name a FILE, a folder, `latest` or `-`")
    settings = Settings() if options.no_config else load(os.getcwd())
    selection = _selection(options, settings)
    with_design = options.design or settings.design
    fail_on = _fail_level(options.fail_on or settings.fail_on or "warning")

    from mcptap.report.checked import worst

    checked: list[Checked] = []
    unusable: list[Unusable] = []
    for path, wanted in _files(options.files):
        one = _check(path, selection, wanted, unusable, options.stats)
        if one is not None:
            checked.append(one)
    if not checked and not unusable:
        raise UserError("none of the folders holds a recording")
    _print(options, checked, unusable, with_design)
    if unusable:
        return UNUSABLE_INPUT
    level = worst(checked, with_design)
    return FOUND if fail_on is not None and level is not None and level >= fail_on else CLEAN


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mcptap check",
        description="Say what is wrong in recordings of MCP sessions: root causes first, with remedies.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="recordings, folders, `latest`, `-`")
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="form of the report (default: text)"
    )
    for name in FORMATS[1:]:
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
    parser.add_argument("--design", action="store_true", help="let findings about tool design fail the check")
    parser.add_argument("--stats", action="store_true", help="add numbers: calls, latencies, sizes, start-up")
    parser.add_argument("--no-config", action="store_true", help="read no .mcptap.toml or pyproject.toml")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of --json, and exit")
    parser.add_argument("--help-settings", action="store_true", help="explain the settings file, and exit")
    return parser


def _explain(schema: bool) -> None:
    if schema:
        from mcptap.report import findings_json

        print(findings_json.dumps(findings_json.schema()))
    else:
        import mcptap.commands.check_settings as settings_module

        print(settings_module.__doc__ or "", end="")


def _selection(options: argparse.Namespace, settings: Settings) -> Selection:
    from mcptap.diagnosis.engine.selection import Selection

    where = f" (in {settings.path})" if settings.path else ""
    for pattern in (*options.ignore, *options.only):
        _require_rule(pattern, "")
    for pattern in settings.ignore:
        _require_rule(pattern, where)
    return Selection(
        _level(options.min_level or settings.min_level or "info"),
        (*options.ignore, *settings.ignore),
        tuple(options.only),
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
    from mcptap.recording.library import find

    for target in targets:
        if target != "-" and os.path.isdir(target):
            found = sorted(
                os.path.join(top, name)
                for top, _, names in os.walk(target)
                for name in names
                if name.endswith(SUFFIX)
            )
            yield from ((path, False) for path in found)
        else:
            yield find(target), True


def _check(
    path: str, selection: Selection, wanted: bool, unusable: list[Unusable], with_statistics: bool
) -> Checked | None:
    """One file, judged; None if it can't be, which is noted if the file was named itself."""
    from mcptap.captures.open import open_source
    from mcptap.recording.format.model import RecordingError
    from mcptap.report.checked import Unusable
    from mcptap.report.checking import check
    from mcptap.report.progress import Progress

    try:
        source = open_source(path)
    except RecordingError as error:
        print(f"mcptap: {error}{'' if wanted else '; skipped'}", file=sys.stderr)
        if wanted:
            unusable.append(Unusable(path, str(error)))
        return None
    try:
        with Progress(source, sys.stderr) as progress:
            return check(source, selection, progress.step, with_statistics)
    finally:
        source.close()


def _print(
    options: argparse.Namespace, checked: list[Checked], unusable: list[Unusable], with_design: bool
) -> None:
    from mcptap.report import findings_json, github, sarif

    if options.format == "json":
        print(findings_json.dumps(findings_json.report(checked, unusable)))
    elif options.format == "sarif":
        from mcptap.diagnosis.catalogue import summaries

        print(findings_json.dumps(sarif.report(checked, unusable, summaries(), with_design)))
    elif options.format == "github":
        for line in github.report(checked, unusable, with_design):
            print(line)
    else:
        _print_text(checked, unusable, with_design)


def _print_text(checked: list[Checked], unusable: list[Unusable], with_design: bool) -> None:
    from mcptap.report import findings_text, statistics_text
    from mcptap.text.terminal import Terminal

    terminal = Terminal(sys.stdout)
    many = len(checked) + len(unusable) > 1
    for one in checked:
        if many and not one.findings and one.statistics is None:
            print(findings_text.clean_line(one, terminal))
            continue
        for line in findings_text.report(one, terminal, with_design):
            print(line)
        if one.statistics is not None:
            print()
            for line in statistics_text.report(one.statistics, terminal, one.evidence.times):
                print(line)
        if many:
            print()
    if many:
        print(findings_text.summary(checked, len(unusable)))
