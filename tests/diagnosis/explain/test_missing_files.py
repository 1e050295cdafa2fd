"""Which files a text names as missing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.diagnosis.explain.missing_files import missing_files, tells_of_missing


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("Error: ENOENT: no such file or directory, open 'data/notes.db'", "data/notes.db"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'settings.json'", "settings.json"),
        (
            "python3: can't open file '/home/ada/server.py': [Errno 2] No such file or directory",
            "/home/ada/server.py",
        ),
        ("Error: Cannot find module '/home/ada/build/index.js'", "/home/ada/build/index.js"),
        ("open ./weather.db: no such file or directory", "./weather.db"),
        ("sh: 0: cannot open run.sh: No such file", "run.sh"),
        ("cat: ../notes.txt: No such file or directory", "../notes.txt"),
        ("Error: Unable to access jarfile target/server.jar", "target/server.jar"),
        ("Could not open input file: server.php", "server.php"),
        ("Could not find file '/home/ada/appsettings.json'.", "/home/ada/appsettings.json"),
        ("config file ../x.toml does not exist", "../x.toml"),
        ("Settings file not found: ../tools/x.toml", "../tools/x.toml"),
        ('error: Module not found "file:///srv/tools.ts".', "/srv/tools.ts"),
    ],
)
def test_the_missing_file_is_the_one_that_is_named_so(line: str, path: str) -> None:
    assert missing_files([line]) == [path]


@pytest.mark.parametrize(
    "line",
    [
        "bin/server.py: reading ./cache.db",
        "cannot read settings: No such file or directory",
        "tool not found",
        "listening",
    ],
)
def test_a_file_that_is_only_named_is_not_missing(line: str) -> None:
    assert missing_files([line]) == []


def test_a_text_may_tell_of_a_missing_file_without_a_name() -> None:
    assert tells_of_missing("cannot read settings: No such file or directory")
    assert not tells_of_missing("licence expired")


def test_a_file_that_shares_the_line_is_not_missing() -> None:
    line = "Cannot find module '/srv/dist/tools' imported from /srv/dist/index.js"
    assert missing_files([line]) == ["/srv/dist/tools"]


@given(st.lists(st.text(max_size=60), max_size=5))
def test_no_text_is_too_odd(lines: list[str]) -> None:
    assert all(any(path in line for line in lines) for path in missing_files(lines))
