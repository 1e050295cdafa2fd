"""Where a server's issues are reported, as its package says."""

from __future__ import annotations

import json

import pytest

from mcptap.export.issues import issue_page, registry_page
from mcptap.recording.format.model import Header


@pytest.mark.parametrize(
    ("fields", "page"),
    [
        ({"bugs": {"url": "https://x.example/bugs"}}, "https://x.example/bugs"),
        ({"bugs": "https://x.example/bugs"}, "https://x.example/bugs"),
        ({"bugs": {"email": "a@b.c"}, "repository": "o/r"}, "https://github.com/o/r/issues"),
        ({"repository": {"url": "git+https://github.com/o/r.git"}}, "https://github.com/o/r/issues"),
        ({"repository": {"url": "git@github.com:o/r.git"}}, None),
        ({"repository": "https://gitlab.com/o/r"}, "https://gitlab.com/o/r/-/issues"),
        ({"repository": "https://own.example/o/r"}, None),
        ({"bugs": "javascript:alert(1)"}, None),
        ({}, None),
    ],
)
def test_of_a_package_of_npm(tmp_path, fields, page):
    script = tmp_path / "pkg" / "dist" / "index.js"
    script.parent.mkdir(parents=True)
    script.write_text("")
    (tmp_path / "pkg" / "package.json").write_text(json.dumps({"name": "@x/srv", **fields}))
    found = issue_page(Header({"argv": ["node", str(script)]}))
    assert (found and found.url) == page
    if found is not None:
        assert (found.package, found.said_by) == ("@x/srv", str(tmp_path / "pkg" / "package.json"))


def test_of_a_distribution_of_python(tmp_path):
    program = tmp_path / "bin" / "srv"
    info = tmp_path / "lib" / "python3.12" / "site-packages" / "srv-1.dist-info"
    for folder in (program.parent, info):
        folder.mkdir(parents=True)
    program.write_text("")
    (info / "entry_points.txt").write_text("[console_scripts]\nsrv = srv:main\n")
    head = "Metadata-Version: 2.1\nName: Srv\n"
    (info / "METADATA").write_text(f"{head}Project-URL: Repository, https://github.com/o/srv\n\nbody")
    header = Header({"argv": ["srv"], "program": str(program)})
    assert issue_page(header).url == "https://github.com/o/srv/issues"
    (info / "METADATA").write_text(f"{head}Project-URL: Bug Tracker, https://x.example/b\n\nbody")
    assert issue_page(header).url == "https://x.example/b"
    (info / "entry_points.txt").write_text("[console_scripts]\nother = srv:main\n")
    assert issue_page(header) is None


@pytest.mark.parametrize(
    ("argv", "page"),
    [
        (["npx", "-y", "@x/srv@1.2"], "https://www.npmjs.com/package/@x/srv"),
        (["uvx", "srv"], "https://pypi.org/project/srv/"),
        (["npx", "./here"], ""),
        (["python", "server.py"], ""),
        ([], ""),
    ],
)
def test_a_package_that_a_runner_fetches_has_a_page(argv, page):
    assert registry_page(Header({"argv": argv})) == page
