"""`mcptap check FILE`: what went wrong in a recorded session."""

from __future__ import annotations

import argparse
import dataclasses

import orjson

from mcptap.diagnosis.engine import Diagnosis
from mcptap.recording.reader import Reader


def main(arguments: list[str]) -> int:
    """Judge one recording; the exit status is 1 if there is an error."""
    parser = argparse.ArgumentParser(prog="mcptap check", description="Say what went wrong in a session.")
    parser.add_argument("file")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    with Reader(options.file) as reader:
        diagnosis = Diagnosis(reader.header)
        for item in reader.items():
            diagnosis.feed(item)
        findings = diagnosis.finish(reader.state(), reader.unfinished())
    if options.json:
        rows = [{**dataclasses.asdict(f), "level": f.level.word} for f in findings]
        print(orjson.dumps({"verdict": diagnosis.verdict(), "findings": rows}).decode())
    else:
        print(diagnosis.verdict())
        for finding in findings:
            print(f"{finding.level.word:8}{finding.rule}: {finding.message}")
            for text in (finding.consequence, finding.remedy):
                if text:
                    print(f"        {text}")
    return int(any(f.level.word == "error" for f in findings))
