"""What is said of where configurations lie."""

from __future__ import annotations

import pytest

from mcptap.clients.configuration import ConfigFile, Syntax, Transport, Unset, Variables


def test_a_file_has_the_path_of_its_system_or_the_one_that_holds_everywhere():
    file = ConfigFile("user", "~/.a.json", macos="~/Library/a.json", windows=r"%APPDATA%\a.json")
    assert [file.on(platform) for platform in ("linux", "darwin", "win32")] == [
        "~/.a.json",
        "~/Library/a.json",
        r"%APPDATA%\a.json",
    ]
    assert ConfigFile("user", "~/.a.json").on("win32") == "~/.a.json"
    assert ConfigFile("solution", "", windows=".mcp.json").on("darwin") == ""


@pytest.mark.parametrize(
    ("file", "shared"),
    [
        (ConfigFile("user", "~/.a.json"), False),
        (ConfigFile("system", "/etc/a.json", windows=r"C:\ProgramData\a.json"), False),
        (ConfigFile("user", "", windows=r"%USERPROFILE%\.mcp.json"), False),
        (ConfigFile("project", ".cursor/mcp.json"), True),
        (ConfigFile("solution", "", windows=".mcp.json"), True),
    ],
)
def test_a_file_of_a_project_is_shared(file, shared):
    assert file.shared is shared


def test_syntaxes_tell_what_they_allow():
    assert [(syntax.comments, syntax.trailing_commas, syntax.is_json) for syntax in Syntax] == [
        (False, False, True),
        (True, False, True),
        (True, True, True),
        (True, True, False),
        (True, True, False),
    ]


def test_what_has_a_url_is_remote():
    assert [kind for kind in Transport if kind.is_remote] == [Transport.HTTP, Transport.SSE, Transport.REMOTE]


def test_variables_are_told_in_words():
    assert Variables(()).words == "expands nothing"
    told = Variables(("${A}", "{b}"), never=("$A",), unset=Unset.EMPTY).words
    assert told == "expands ${A} and {b}, never $A; what is unset becomes empty"
