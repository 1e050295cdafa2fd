"""A check that found something of every kind, with text that would drive a terminal."""

from collections import Counter

from mcptap.captures.evidence import Evidence
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.recording.format.model import Header
from mcptap.report.results import CheckedFile, Results, UnusableFile

EVIL = "\x1b[31mred\x07\u202e"

HEADER = Header(
    {
        "name": "weather",
        "argv": ["python", "weather server.py", "--key=" + EVIL],
        "program": "/usr/bin/python",
        "cwd": "/home/someone/project",
        "wall": 1_795_987_023_103_145,
        "parent": {"pid": 1, "name": "agent", "argv": []},
    }
)


def checked(path: str = "a/x.jsonl") -> CheckedFile:
    findings = [
        Finding(
            "capability-undeclared-tools",
            Level.ERROR,
            3,
            'The server answers tools/list but does not declare "tools".',
            "TypeScript 2.x clients never ask.",
            "Declare capabilities.tools.",
            subject="tools",
            records=[3, 5, 9],
            count=7,
            side="server",
        ),
        Finding("launch-cwd", Level.WARNING, None, f"No file {EVIL} in /home.", side="launch"),
        Finding("crlf", Level.INFO, 4, "Lines end with CRLF, 100%: fine,\nreally.", side="server"),
        Finding("tool-error-as-text", Level.WARNING, 8, "add reported a failure as text.", design=True),
    ]
    return CheckedFile(
        path,
        HEADER,
        state="finished",
        verdict=f"The server does not declare tools; this client never asked. {EVIL}",
        findings=findings,
        ignored=Counter({"blank-line": 2}),
        client="agent 1.2.3",
        server="weather 2.0",
        revision="2025-11-25",
        outcome=Outcome.BROKEN,
        limits="1 record took no part in this: it is not a JSON object.",
        damaged=1,
    )


def foreign() -> CheckedFile:
    evidence = Evidence(origin="bare JSON-RPC lines", times=False, process=False, assumptions=("senders",))
    verdict, limits = "Only a part was seen.", "A capture without times."
    return CheckedFile("-", Header({"name": "server"}), evidence, "unknown", verdict, limits=limits)


UNUSABLE = UnusableFile("b.jsonl", f"b.jsonl: is empty{EVIL}")


def results(*files: CheckedFile, unusable: bool = False, design_counts: bool = False) -> Results:
    """A check of these files, of `checked()` if there is none."""
    return Results(list(files) or [checked()], [UNUSABLE] if unusable else [], design_counts)
