"""What can be seen of `windows.py` elsewhere: it has what the tap asks its platform for."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SHIM = Path(__file__).parents[2] / "mcptap" / "shim"


def definitions(name: str) -> dict[str, int]:
    """Top-level names of a module, functions with the number of their parameters."""
    found = {}
    for node in ast.parse((SHIM / name).read_text()).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = len(node.args.args)
        elif isinstance(node, ast.ClassDef):
            found[node.name] = -1
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found.update({target.id: -1 for target in targets if isinstance(target, ast.Name)})
    return found


def used(variable: str) -> set[str]:
    """Attributes of `system` or `resolve` that the package uses."""
    trees = [ast.parse(path.read_text()) for path in SHIM.glob("*.py")]
    return {
        node.attr
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == variable
    }


@pytest.mark.parametrize(
    ("variable", "posix", "windows"),
    [("system", "posix.py", "windows.py"), ("resolve", "resolve.py", "resolve_windows.py")],
)
def test_both_platforms_have_what_is_used_with_the_same_parameters(
    variable: str, posix: str, windows: str
) -> None:
    names = used(variable) - {"find_program"}  # which takes one more there, for its tests
    ours, theirs = definitions(posix), definitions(windows)
    assert names
    assert {name: ours[name] for name in names} == {name: theirs[name] for name in names}
