"""Somebody's own suite, which uses the plugin: run by the real pytest in a process, as a user would."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from tests.play.probing import SMALL
from tests.test_architecture import ROOT

WEATHER = [sys.executable, str(Path(__file__).with_name("weather_server.py"))]
"""A server that has tools which go wrong in one way each."""

INI = f"""[pytest]
mcptap_command = {" ".join(WEATHER)}
mcptap_timeout = 60
"""


def run(folder: Path, tests: str, *options: str, ini: str = INI) -> tuple[dict[str, str], str]:
    """What became of each test: `passed`, or the text of its failure or error; and what was printed."""
    (folder / "pytest.ini").write_text(ini)
    (folder / "test_suite.py").write_text(tests.replace("<SMALL>", repr(SMALL)))
    plugins = ["-p", "mcptap.pytest", "-p", "xdist.plugin", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pytest", *plugins, "--junitxml=out.xml", *options],
        cwd=folder,
        env={
            **os.environ,
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONPATH": str(ROOT),
            "PYTEST_ADDOPTS": "",
        },
        capture_output=True,
        check=False,
        text=True,
    )
    report = folder / "out.xml"
    if not report.exists():
        return {}, done.stdout + done.stderr
    came: dict[str, str] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        bad = [child for child in case if child.tag in ("failure", "error")]
        out = "".join(child.text or "" for child in case if child.tag.startswith("system-"))
        kept = "".join(f"{one.get('name')}: {one.get('value')}\n" for one in case.iter("property"))
        words = "".join(f"{child.tag}: {child.get('message')}\n{child.text}{out}{kept}" for child in bad)
        name = str(case.get("name"))
        came[name] = "\n".join(filter(None, (came.get(name, "").replace("passed", ""), words))) or "passed"
    return came, done.stdout + done.stderr
