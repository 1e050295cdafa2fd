"""Messages and events that nest deep: every command reads them."""

import json
from pathlib import Path

import pytest

from tests.hostile.commands import READING, index, read_with, send, stand_in
from tests.hostile.shapes import deep, write


@pytest.fixture(scope="module", params=[(600, False), (1000, True), (1020, False), (3000, True)])
def recording(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    depth, objects = request.param
    return write(tmp_path_factory.mktemp("deep") / "deep.jsonl", deep(depth, objects=objects))


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_a_command_reads_json_that_nests_deep(recording: Path, command: tuple[str, ...]):
    out = read_with(command, recording, recording)
    if "--json" in command:
        json.loads(out)


@pytest.mark.parametrize("act", [index, stand_in, send])
def test_screen_mock_and_send_read_json_that_nests_deep(recording: Path, act):
    act(recording)


def test_a_message_is_one_however_deep_it_nests(recording: Path):
    told = json.loads(read_with(("check", "--json"), recording, recording))
    assert "stdout-not-json" not in {finding["rule"] for finding in told["findings"]}
    assert told["files"][0]["messages"] == 11
