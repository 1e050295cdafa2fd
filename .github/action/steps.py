"""The steps of the action (action.yml): `steps.py install`, `steps.py judge`.

Inputs come as the variables INPUT_…, and become arguments of processes, never text of a shell. It needs
nothing but Python. The exit status is that of mcptap: 0 nothing found, 1 something, 2 unusable input.
"""

from __future__ import annotations

import html
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[2]
FORMS = {"json": "json", "junit": "xml", "sarif": "sarif", "text": "txt"}
"""The forms of the reports that are kept, and the endings of their names."""
LINES = ("expect-tool", "forbid-tool", "max-latency", "max-start", "max-list-tokens")
"""Inputs that are options of the same name, once for each line."""
MOST_ROWS = 50
MARKS = {"error": "❌ error", "warning": "⚠️ warning", "info": "info"}
RESULTS = {0: "clean", 1: "found"}
VERSION = re.compile(r"[0-9][0-9A-Za-z.+!_-]*")


class InputError(Exception):
    """An input can't be used. The text is a sentence."""


def given(name: str) -> str:
    """An input of the action; empty if there is none."""
    return os.environ.get(f"INPUT_{name.upper().replace('-', '_')}", "").strip()


def lines(name: str) -> list[str]:
    """An input with a value on each line."""
    return [line.strip() for line in given(name).splitlines() if line.strip()]


def words(name: str) -> list[str]:
    """An input that is written as for a shell. Nothing in it is expanded."""
    try:
        return shlex.split(given(name))
    except ValueError as error:
        raise InputError(f"the input {name} can't be read: {error}") from error


def temporary() -> Path:
    """The runner's folder for what is not kept."""
    return Path(os.environ.get("RUNNER_TEMP") or tempfile.gettempdir())


def environment() -> Path:
    """Where mcptap is installed by this action."""
    return temporary() / "mcptap-action"


def mcptap() -> list[str]:
    """The command that is mcptap. Raises InputError if there is none."""
    if given("version") == "installed":
        found = shutil.which("mcptap")
        if found is None:
            raise InputError(
                "version is installed, but there is no mcptap on the PATH: pip install mcptap first"
            )
        return [found]
    return [str(environment() / "bin" / "python"), "-P", "-m", "mcptap"]


def install() -> int:
    """Install mcptap into an environment of its own."""
    version = given("version")
    if version == "installed":
        mcptap()
        return 0
    if sys.version_info < (3, 11):  # noqa: UP036 - whatever the runner has
        raise InputError("mcptap needs Python 3.11 or newer: put actions/setup-python before this action")
    if version and not VERSION.fullmatch(version):
        raise InputError(f"version is {version!r}; it can be empty, installed, or a version like 1.2.3")
    wanted = f"mcptap=={version}" if version else str(HERE)
    subprocess.run([sys.executable, "-m", "venv", str(environment())], check=True)
    pip = [
        str(environment() / "bin" / "python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]
    return subprocess.run([*pip, wanted], check=False).returncode


def judge() -> int:
    """Probe the server, check the recordings; annotate, summarise, and say where all of it lies."""
    folder = Path(given("output") or tempfile.mkdtemp(prefix="mcptap-", dir=temporary())).resolve()
    (folder / "recordings").mkdir(parents=True, exist_ok=True)
    place = given("working-directory") or "."
    if not os.path.isdir(place):
        raise InputError(f"working-directory is {place!r}, and there is no such folder")
    todo = commands(folder)
    if not todo:
        raise InputError("there is nothing to do: give a command, a config, or recordings")
    statuses = [run(name, arguments, folder, place) for name, arguments in todo]
    worst = max(status if status >= 0 else 2 for status in statuses)  # below 0: killed
    summary = "".join(
        told(name, folder / f"{name}.json", status) for (name, _), status in zip(todo, statuses, strict=True)
    )
    append("GITHUB_STEP_SUMMARY", f"## mcptap\n\n{summary}")
    put("artifacts", str(folder))
    put("result", RESULTS.get(worst, "unusable"))
    put("junit", str(folder / "*.xml"))
    put("sarif", str(folder / "sarif"))
    return worst


def commands(folder: Path) -> list[tuple[str, list[str]]]:
    """What is to be run: the name of each report, and the arguments of mcptap."""
    todo: list[tuple[str, list[str]]] = []
    expected = [f"--{name}={value}" for name in LINES for value in lines(name)]
    command, config = words("command"), given("config")
    if command and config:
        raise InputError("command and config both say which server: give one of them")
    if given("server") and not config:
        raise InputError("server names one of the servers of config: give config as well")
    if command or config:
        probe = ["probe", "--record", f"{folder / 'recordings'}/"]
        if given("as"):
            probe += ["--as", given("as")]
        if config:
            probe += ["--config", config, "--yes"]
        if given("server"):
            probe += ["--server", given("server")]
        if command or given("server"):
            probe += expected
        todo.append(("probe", [*probe, *words("probe-options"), *(["--", *command] if command else [])]))
    if lines("recordings"):
        check = ["check", *expected, *(["--fail-on", given("fail-on")] if given("fail-on") else [])]
        todo.append(("check", [*check, *words("check-options"), "--", *lines("recordings")]))
    elif expected and config and not given("server"):
        raise InputError("what is expected is asked of one server: name it (server), or give recordings")
    return todo


def run(name: str, arguments: list[str], folder: Path, place: str) -> int:
    """Run mcptap with annotations on stdout and all other forms in files; the exit status."""
    (folder / "sarif").mkdir(exist_ok=True)
    kept = []
    for form, ending in FORMS.items():
        where = folder / "sarif" if form == "sarif" else folder
        kept += ["--also", f"{form}={where / name}.{ending}"]
    head, *rest = arguments
    sys.stdout.flush()
    return subprocess.run([*mcptap(), head, "--github", *kept, *rest], cwd=place, check=False).returncode


def told(name: str, report: Path, status: int) -> str:
    """One report in Markdown, of the form for programs."""
    title = "Probe" if name == "probe" else "Check"
    if not report.exists():
        return f"### {title}: unusable input (exit status {status})\n\nThe log of the step says why.\n\n"
    found = json.loads(report.read_text(encoding="utf-8"))
    head = f"### {title}: {'✅ nothing found' if status == 0 else '❌ failed'}\n\n"
    said = [found["summary"]] if found.get("summary") else []
    said += [f"{file['file']}: {file.get('verdict') or file.get('error')}" for file in found.get("files", [])]
    said += [_trial(one) for one in found.get("servers", [])]
    rows = [one for one in found.get("findings", []) if not one.get("design")]
    body = "".join(f"- {cell(text)}\n" for text in said[:MOST_ROWS])
    if rows:
        body += "\n| | rule | what | remedy |\n|-|-|-|-|\n"
        for one in rows[:MOST_ROWS]:
            what = " ".join(filter(None, (one["message"], one["consequence"])))
            body += (
                f"| {MARKS[one['level']]} | {cell(one['rule'])} | {cell(what)} | {cell(one['remedy'])} |\n"
            )
        if len(rows) > MOST_ROWS:
            body += f"\n… and {len(rows) - MOST_ROWS} more, in the reports.\n"
    return f"{head}{body}\n"


def _trial(one: dict[str, Any]) -> str:
    return " ".join(str(one.get(key) or "") for key in ("server", "client", "shown", "why")).strip()


def cell(text: str) -> str:
    """A text of a recording as it is: no Markdown and no HTML of a stranger's."""
    escaped = html.escape(" ".join(text.split()), quote=False)
    return re.sub(r"([\\`*_\[\]|~#@!:])", lambda found: f"&#{ord(found[1])};", escaped)


def put(name: str, value: str) -> None:
    """Set an output of the step."""
    if "\n" in value or "\r" in value:
        raise InputError(f"the folder of the output {name} has a newline in its name")
    append("GITHUB_OUTPUT", f"{name}={value}\n")


def append(variable: str, text: str) -> None:
    """Add to one of the runner's files, if there is one."""
    path = os.environ.get(variable)
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)


def main(arguments: list[str]) -> int:
    """Run a step."""
    steps = {"install": install, "judge": judge}
    if len(arguments) != 1 or arguments[0] not in steps:
        print(f"usage: steps.py {'|'.join(steps)}", file=sys.stderr)
        return 2
    try:
        return steps[arguments[0]]()
    except InputError as error:
        text = str(error).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        print(f"::error title=mcptap::{text}")
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
