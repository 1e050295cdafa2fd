"""A check that found something of every kind, with text that would drive a terminal."""

from collections import Counter

from mcptap.captures.evidence import Evidence
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.recording.format.model import Header
from mcptap.report.checked import Checked, Unusable

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


def checked(path: str = "a/x.jsonl") -> Checked:
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
    return Checked(
        path,
        HEADER,
        state="finished",
        verdict=f"The server does not declare tools; this client never asked. {EVIL}",
        findings=findings,
        ignored=Counter({"blank-line": 2}),
        client="agent 1.2.3",
        server="weather 2.0",
        revision="2025-11-25",
        damaged=Counter({"it is not a JSON object": 1}),
    )


def foreign() -> Checked:
    evidence = Evidence(origin="bare JSON-RPC lines", times=False, process=False, assumptions=("senders",))
    return Checked("-", Header({"name": "server"}), evidence, "unknown", "Nothing is wrong.")


UNUSABLE = Unusable("b.jsonl", f"b.jsonl: is empty{EVIL}")
