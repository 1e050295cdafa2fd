"""The official clients ask `mcptap mcp`, in both eras."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from mcptap.agent.tools import NAMES
from tests.agent.asking import GLUED, keep
from tests.shim.running import MCPTAP, SERVERS, environment


@pytest.mark.parametrize(("python", "mode"), [("mcp1", "1"), ("mcp2", "auto"), ("mcp2", "legacy")])
def test_an_official_client_gets_every_answer(
    tmp_path: Path, request: pytest.FixtureRequest, python: str, mode: str
) -> None:
    keep(tmp_path / "recordings", "weather", GLUED)
    client = [request.getfixturevalue(python), str(SERVERS / "agent_client.py"), mode]
    server = [*MCPTAP, "mcp", "--all", "--dir", str(tmp_path / "recordings")]
    run = subprocess.run(
        [*client, *server], capture_output=True, timeout=60, env=environment(tmp_path), check=False
    )
    assert run.returncode == 0, run.stderr
    listed, *answers, refused = json.loads(run.stdout)
    assert [tool["name"] for tool in listed["tools"]] == list(NAMES)
    failed = [bool(answer.get("isError", answer.get("is_error"))) for answer in answers]
    assert failed == [False] * 5 + [True]
    assert "stdout-glued" in answers[1]["content"][0]["text"]
    assert "there is no such tool" in refused
