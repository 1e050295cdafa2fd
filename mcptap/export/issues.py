"""Where a server's issues are reported, as far as its package here says so; nothing is looked up online."""

from __future__ import annotations

import glob
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from mcptap.recording.format.model import Header, as_object, as_text

PARENTS = 6
"""Folders above a script in which its `package.json` may lie."""
MOST = 1 << 20
"""Bytes of a description of a package."""

_NPM_RUNNERS = frozenset(("npx", "bunx", "pnpm", "yarn", "npm"))
_SPEC = re.compile(r"(@[\w.-]+/)?[a-z][\w.-]*(@[\w.^~-]+)?")
_HOSTED = re.compile(
    r"(?:git\+)?(?:https?|git|ssh)://(?:git@)?([\w.-]+)/([\w.-]+/[\w.-]+?)(?:\.git)?(?:[/#?].*)?$"
)
_SHORT = re.compile(r"(?:github:)?([\w.-]+/[\w.-]+)$")
_FORGES = frozenset(("github.com", "gitlab.com", "codeberg.org"))
_TRACKERS = ("issue", "bug", "tracker")
_SOURCES = ("repository", "source", "code", "github", "homepage", "home")


@dataclass(frozen=True, slots=True)
class Place:
    """A page of issues, and who says so."""

    url: str
    package: str
    said_by: str
    """The file that says so."""


def issue_page(header: Header) -> Place | None:
    """The page that the server's own package names; None if none is found here that does."""
    return next(
        filter(None, (*map(_of_npm, _npm_files(header)), *map(_of_python, _python_files(header)))), None
    )


def registry_page(header: Header) -> str:
    """The page of the package that a runner was told to fetch; empty if the command names none."""
    words = [word for word in header.argv if not word.startswith("-")]
    for runner, package in pairwise(words):
        name = os.path.basename(runner)
        spec = _SPEC.fullmatch(package)
        if spec is None or "/" in package.removeprefix("@").partition("/")[2]:
            continue
        bare = package if "@" not in package[1:] else package[: package.rindex("@")]
        if name in ("npx", "bunx"):
            return f"https://www.npmjs.com/package/{bare}"
        if name == "uvx":
            return f"https://pypi.org/project/{bare}/"
    return ""


# --- npm --------------------------------------------------------------------------------------------


def _npm_files(header: Header) -> Iterator[str]:
    """Descriptions of the package that the command starts."""
    for word in header.argv:
        if os.path.isabs(word) and word.endswith((".js", ".mjs", ".cjs", ".ts")) and os.path.isfile(word):
            yield from _above(os.path.realpath(word))
    if header.program and os.path.isfile(header.program):
        real = os.path.realpath(header.program)
        if "node_modules" in real:
            yield from _above(real)
    if header.argv and os.path.basename(header.argv[0]) in _NPM_RUNNERS:
        page = registry_page(header)
        package = page.removeprefix("https://www.npmjs.com/package/") if "npmjs" in page else ""
        if package:
            cache = os.path.join(os.path.expanduser("~"), ".npm", "_npx", "*", "node_modules", package)
            found = glob.glob(os.path.join(cache, "package.json"))
            yield from sorted(found, key=os.path.getmtime, reverse=True)


def _above(path: str) -> Iterator[str]:
    folder = os.path.dirname(path)
    for _ in range(PARENTS):
        candidate = os.path.join(folder, "package.json")
        if os.path.isfile(candidate):
            yield candidate
            return
        folder = os.path.dirname(folder)


def _of_npm(path: str) -> Place | None:
    fields = _read_json(path)
    name = as_text(fields.get("name"))
    bugs, source = fields.get("bugs"), fields.get("repository")
    page = as_text(bugs) or as_text(as_object(bugs).get("url"))
    if not page.startswith("https://"):
        page = _issues_of(as_text(source) or as_text(as_object(source).get("url")))
    return Place(page, name, path) if name and page else None


def _read_json(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            return as_object(json.loads(file.read(MOST)))
    except (OSError, ValueError, RecursionError):
        return {}


def _issues_of(source: str) -> str:
    """The page of issues of a repository at one of the known forges; empty for any other."""
    found = _HOSTED.match(source)
    if found is not None and found[1].lower() in _FORGES:
        kind = "-/issues" if found[1].lower() == "gitlab.com" else "issues"
        return f"https://{found[1].lower()}/{found[2]}/{kind}"
    short = _SHORT.match(source)
    return f"https://github.com/{short[1]}/issues" if short is not None else ""


# --- Python -----------------------------------------------------------------------------------------


def _python_files(header: Header) -> Iterator[str]:
    """Descriptions of the distribution that the command's script belongs to."""
    program = header.program or ""
    name = os.path.basename(program).removesuffix(".exe")
    if not name or not os.path.isfile(program):
        return
    for path in (program, os.path.realpath(program)):
        prefix = os.path.dirname(os.path.dirname(path))
        for found in glob.glob(
            os.path.join(glob.escape(prefix), "lib", "python3*", "site-packages", "*.dist-info")
        ):
            try:
                with open(os.path.join(found, "entry_points.txt"), encoding="utf-8") as file:
                    points = file.read(MOST)
            except (OSError, ValueError):
                continue
            if re.search(rf"^{re.escape(name)}\s*=", points, re.MULTILINE):
                yield os.path.join(found, "METADATA")


def _of_python(path: str) -> Place | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            head = file.read(MOST).partition("\n\n")[0]
    except OSError:
        return None
    name = re.search(r"^Name: *(\S+)", head, re.MULTILINE)
    urls = [
        (label.strip().lower(), url.strip())
        for label, url in re.findall(r"^Project-URL: *([^,\n]+), *(https://\S+)", head, re.MULTILINE)
    ]
    for word in _TRACKERS:
        for label, url in urls:
            if word in label and name is not None:
                return Place(url, name[1], path)
    for word in _SOURCES:
        for label, url in urls:
            page = _issues_of(url) if word in label else ""
            if page and name is not None:
                return Place(page, name[1], path)
    return None
