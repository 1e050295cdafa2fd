"""The house itself: no cycles, small rooms, every module tested."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "mcptap"
MOST_MODULES = 17
"""How many modules may lie side by side in a package."""

MOST_OF_A_FAMILY = 24
"""The same for families: whoever looks for one of their modules knows its name."""

FAMILIES = ("clients.libraries", "clients.products", "diagnosis.rules", "protocol.revisions")
"""Packages whose modules are records of one kind, and are tested together."""

WITHOUT_TEST_FILE = frozenset(
    {
        "__main__",  # five lines
        "clients.faults",  # names alone
        "clients.outcomes",  # names and their words
        "diagnosis.engine.finding",  # fields alone
        "diagnosis.engine.rule",  # fields; what registers rules is tested
        "errors",  # one class
        "play.probe.allowed",  # fields alone
        "play.send.actions",  # what a conversation returns: tested with it
        "query.fields",  # a table; what reads it is tested
        "recording.format.model",  # names from beside it
    }
)
"""Modules without a test file of their own, and why."""


def modules() -> dict[str, Path]:
    """Every module by its dotted name (a package by its own)."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def statements(block: ast.AST) -> Iterator[ast.AST]:
    """All statements in a block, to any depth: to walk through their expressions too takes much longer."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for node in getattr(block, part, ()):
            yield node
            yield from statements(node)


def imports(tree: ast.Module, known: dict[str, Path]) -> Iterator[str]:
    """The modules of mcptap that a module imports anywhere, for type checkers only included."""
    for node in statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else node.module


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that import each other, directly or by way of others."""

    def reachable(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            for name in graph[waiting.pop()] - seen:
                seen.add(name)
                waiting.append(name)
        return seen

    reached = {name: reachable(name) for name in graph}
    groups = {
        frozenset(other for other in reached[name] if name in reached[other])
        for name in graph
        if name in reached[name]
    }
    return sorted(sorted(group) for group in groups)


def test_no_modules_import_each_other() -> None:
    known = modules()
    graph = {name: set(imports(ast.parse(path.read_bytes()), known)) - {name} for name, path in known.items()}
    assert cycles(graph) == []


def test_a_cycle_would_be_found() -> None:
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]


def test_no_package_is_a_flat_bag() -> None:
    sizes = Counter(path.parent for path in modules().values() if path.name != "__init__.py")
    families = {PACKAGE.joinpath(*name.split(".")) for name in FAMILIES}
    full = {
        str(folder.relative_to(ROOT)): size
        for folder, size in sizes.items()
        if size > (MOST_OF_A_FAMILY if folder in families else MOST_MODULES)
    }
    assert full == {}


def test_every_module_has_a_test_file_but_for_those_listed() -> None:
    tests = {str(path.relative_to(ROOT / "tests")) for path in (ROOT / "tests").rglob("test_*.py")}
    untested = {
        name.removeprefix("mcptap.")
        for name, path in modules().items()
        if path.name != "__init__.py"
        and not name.removeprefix("mcptap.").startswith(FAMILIES)
        and str(path.relative_to(PACKAGE).parent / f"test_{path.name}") not in tests
    }
    assert untested == WITHOUT_TEST_FILE
