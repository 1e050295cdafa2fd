"""What a command line says about a server that never answered."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.diagnosis.explain.launchers import (
    launch_hint,
    login_shell,
    no_server,
    runs_elsewhere,
    terminal_hint,
    unwrapped,
)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("docker run --rm mcp/fetch", "`docker run` without `-i`"),
        ("docker run --rm -e TOKEN --name x mcp/fetch -i", "`docker run` without `-i`"),
        ("/usr/local/bin/docker --context remote run --rm mcp/fetch", "`docker run` without `-i`"),
        ("podman run -v /srv:/srv mcp/fetch", "`podman run` without `-i`"),
        ("docker container run mcp/fetch", "`docker run` without `-i`"),
        ("docker exec scales python server.py", "`docker exec` without `-i`"),
        ("docker run --interactive=false mcp/fetch", "without `-i`"),
        ("docker run -di mcp/fetch", "`docker run -d`"),
        ("docker compose up scales", "`docker compose up` does not connect"),
        ("kubectl exec pod -- server", "`kubectl exec` without `-i`"),
        ("env A=1 docker run mcp/fetch", "`docker run` without `-i`"),
        ("sh -c 'docker run mcp/fetch'", "`docker run` without `-i`"),
        ("cmd /c docker run mcp/fetch", "`docker run` without `-i`"),
        ("python3", "`python3` is given no program"),
        ("node", "`node` is given no program"),
        ("bash", "`bash` is given no program"),
        ("python3 -u -", "`python3` is given no program"),
        ("bash --login -s", "`bash` is given no program"),
    ],
)
def test_a_command_line_explains_an_early_end(command: str, words: str) -> None:
    assert words in launch_hint(shlex.split(command), ended=True)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("docker run mcp/fetch", "gets nothing of what the client writes"),
        ("docker run -it mcp/fetch", "puts a terminal in between"),
        ("npx -y @scope/server", "npx may still be fetching"),
        ("cmd /c npx -y @scope/server", "npx may still be fetching"),
        ("uvx mcp-server-fetch", "uvx may still be fetching"),
        ("uv run server.py", "uv run may still be fetching"),
        ("pnpm dlx @scope/server", "pnpm dlx may still be fetching"),
        ("cargo run --release", "cargo run may still be building"),
        ("ssh scales server", "BatchMode"),
    ],
)
def test_a_command_line_explains_silence(command: str, words: str) -> None:
    assert words in launch_hint(shlex.split(command), ended=False)


@pytest.mark.parametrize(
    "command",
    [
        "docker run -i mcp/fetch",
        "docker run --rm -i mcp/fetch",
        "docker run --interactive mcp/fetch",
        "docker exec -i scales server",
        "docker compose run --rm -T scales",
        "docker pull mcp/fetch",
        "npm start",
        "python server.py",
        "python -m scales",
        "node -u index.js",
        "bash -c 'exec server'",
        "server",
        "uv pip list",
    ],
)
@pytest.mark.parametrize("ended", [False, True])
def test_a_good_command_line_explains_nothing(command: str, ended: bool) -> None:
    assert launch_hint(shlex.split(command), ended=ended) == ""


@pytest.mark.parametrize("command", ["npx -y @scope/server", "ssh scales server", "python -c pass", ""])
def test_a_command_line_may_lead_to_a_server(command: str) -> None:
    assert no_server(shlex.split(command)) == ""


@pytest.mark.parametrize(
    ("command", "elsewhere"),
    [
        ("docker exec -i scales node build/index.js", True),
        ("sh -c 'podman run -i scales ./server.py'", True),
        ("ssh scales ./server", True),
        ("uv --directory /srv/scales run server.py", True),
        ("npm --prefix=/srv/scales start", True),
        ("node build/index.js", False),
        ("", False),
    ],
)
def test_paths_of_other_places_are_told_from_those_of_this_folder(command: str, elsewhere: bool) -> None:
    assert runs_elsewhere(shlex.split(command)) is elsewhere


def test_the_python_that_ran_is_named_where_it_lacks_a_module() -> None:
    line = "ModuleNotFoundError: No module named 'mcp'"
    argv = ["python", "server.py"]
    assert "/usr/bin/python3" in launch_hint(argv, ended=True, telling=line, program="/usr/bin/python3")
    assert launch_hint(["uv", "run"], ended=True, telling=line, program="/usr/bin/uv") == ""


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("ssh -tt scales server", "ssh -t"),
        ("docker run -it mcp/fetch", "docker … -t"),
        ("docker run -i --tty mcp/fetch", "docker … -t"),
        ("script -qc server /dev/null", "script"),
        ("cat", "cat"),
        ("ssh scales server", ""),
        ("docker run -i mcp/fetch -t", ""),
        ("server -t", ""),
    ],
)
def test_a_terminal_in_between_shows_in_the_command_line(command: str, words: str) -> None:
    hint = terminal_hint(shlex.split(command))
    assert words in hint if words else hint == ""


@pytest.mark.parametrize(
    ("command", "shell"),
    [("bash -lc server", "bash -lc"), ("/bin/zsh -l -c server", "zsh -l"),
     ("zsh --login -c x", "zsh --login"),
     ("bash -ic server", "bash -ic"), ("bash -c server", ""), ("server -l", "")],
)  # fmt: skip
def test_a_login_shell_is_told_by_its_option(command: str, shell: str) -> None:
    assert login_shell(shlex.split(command)) == shell


def test_what_cannot_be_read_as_a_script_stays() -> None:
    assert unwrapped(["sh", "-c", "echo 'x"]) == ["sh", "-c", "echo 'x"]


words = st.lists(
    st.sampled_from(["docker", "run", "-i", "-it", "sh", "-c", "'", "env", "A=1", "--x", "-"]) | st.text()
)


@given(words, st.booleans())
def test_no_command_line_is_too_odd(argv: list[str], ended: bool) -> None:
    assert isinstance(launch_hint(argv, ended=ended), str)
    assert isinstance(terminal_hint(argv), str)
    assert isinstance(login_shell(argv), str)
