"""The scripts for shells, and what they ask for; tried in the shells that are there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig

import pytest

from mcptap.commands import main
from mcptap.commands.manual.completion import SHELLS, script

_script = shutil.which("mcptap", path=sysconfig.get_path("scripts"))

ASK = {
    "bash": """eval "$SCRIPT"
        COMP_WORDS=(mcptap show x --raw s) COMP_CWORD=4; _mcptap 2>/dev/null
        printf '%s\\n' "${COMPREPLY[@]}" """,
    "fish": 'echo $SCRIPT | source; complete -C "mcptap show x --raw s" | string split -f 1 \\t | sort',
    "zsh": """compdef() { :; }; eval "$SCRIPT"
        _describe() { printf '%s\\n' "${(@P)3}"; }; words=(mcptap show x --raw s) CURRENT=5; _mcptap""",
}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_a_shell_is_printed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert capsys.readouterr().out == script(shell)
    assert "completion --complete -- " in script(shell)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_offers_what_mcptap_says(shell: str) -> None:
    if shutil.which(shell) is None or _script is None:
        pytest.skip(f"{shell} or the installed command is not there")
    environ = {
        "PATH": os.path.dirname(_script) + os.pathsep + os.environ["PATH"],
        "HOME": "/nonexistent",
        "SCRIPT": script(shell),
    }
    done = subprocess.run(
        [shell, "-c", ASK[shell]], env=environ, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.split() == ["s2c", "stderr"], done.stderr


def test_what_may_come_next_is_printed_with_what_it_means(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "--complete", "--", "ls", "--js"]) == 0
    assert capsys.readouterr().out == "--json\tone JSON array of objects\n"


def test_a_shell_has_to_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion"]) == 2
    assert "bash|zsh|fish" in capsys.readouterr().err
