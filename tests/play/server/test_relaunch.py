"""How a server is started again: what the recording says, what the user says, what nobody knows."""

import pytest

from mcptap.errors import UserError
from mcptap.play.server.launch import Launch
from mcptap.play.server.relaunch import read_header, recorded_environment, relaunch
from mcptap.recording.format.model import Header
from tests.helpers import record

HERE = {"PATH": "/bin", "API_KEY": "mine"}


def header(**fields):
    return Header({"mcptap": 1, "argv": ["python", "my server.py"], **fields})


def test_a_command_of_the_user_runs_as_if_they_had_started_it(tmp_path):
    again = relaunch(header(cwd=str(tmp_path)), ["node"], None, HERE)
    assert (again.launch, again.sentences) == (Launch(["node"]), [])


def test_without_a_command_the_recorded_one_runs_where_it_did_and_that_is_said(tmp_path):
    env = {"names": ["A", "PATH"], "values": {"A": "1"}}
    again = relaunch(header(cwd=str(tmp_path), env=env), [], None, HERE)
    assert again.launch == Launch(["python", "my server.py"], str(tmp_path), {"A": "1", "PATH": "/bin"})
    assert again.sentences == [
        f"starting python 'my server.py' in {tmp_path}, with the recorded environment (2 variables)"
    ]


def test_another_command_may_run_where_the_recorded_one_did(tmp_path):
    again = relaunch(header(cwd=str(tmp_path)), ["node"], None, HERE, alike=True)
    assert again.launch == Launch(["node"], str(tmp_path))


def test_a_directory_that_the_user_names_goes_before_the_recorded_one():
    assert relaunch(header(cwd="/no/such/folder"), [], "/", HERE).launch.cwd == "/"


@pytest.mark.parametrize(
    ("recorded", "words"),
    [
        (None, "plain lines say nothing of a server"),
        (Header({"mcptap": 1}), "does not say how the server was started"),
        (header(cwd="/no/such/folder"), "/no/such/folder does not exist here"),
    ],
)
def test_what_cannot_be_started_again_is_one_sentence(recorded, words):
    with pytest.raises(UserError, match=words) as caught:
        relaunch(recorded, [], None, HERE)
    assert "\n" not in str(caught.value)


def test_a_value_that_was_not_recorded_is_taken_from_here_or_said_to_be_unknown():
    env = {
        "names": ["ZED", "PATH", "API_KEY", "BUILD", "ALSO"],
        "values": {"PATH": "/recorded"},
        "placeholders": {"BUILD": "${BUILD}"},
    }
    assert recorded_environment(header(env=env), HERE) == (
        {"PATH": "/recorded", "API_KEY": "mine", "BUILD": "${BUILD}"},
        ["ALSO", "ZED"],
    )
    sentence = relaunch(header(env=env), [], None, HERE).sentences[1]
    assert sentence.startswith("the recording holds no value of ALSO, ZED,")


def test_a_recording_without_names_of_variables_leaves_the_environment_as_it_is():
    assert recorded_environment(header(), HERE) == (None, [])


def test_the_header_of_a_recording_is_read(tmp_path):
    assert read_header(str(record(tmp_path / "r.jsonl", [], argv=["x"]))).argv == ["x"]
