"""A server that lies beside its recording."""

from pathlib import Path

import pytest

from mcptap.play.server.relaunch import relaunch
from mcptap.play.server.shipped import shipped
from mcptap.recording.format.model import Header


@pytest.fixture
def recording(tmp_path) -> str:
    (tmp_path / "weather").mkdir()
    (tmp_path / "weather" / "server.py").write_text("")
    return str(tmp_path / "r.jsonl")


def header(*argv, cwd="/no/such/weather"):
    return Header({"mcptap": 1, "argv": list(argv), "cwd": cwd})


def test_the_folder_beside_it_takes_the_place_of_one_of_that_name_that_is_not_here(recording):
    found = shipped(header("python3", "server.py"), ["python3", "server.py"], recording)
    beside = str(Path(recording).parent / "weather")
    assert found is not None
    assert (found.cwd, list(found.argv), found.folder) == (beside, ["python3", "server.py"], beside)


def test_a_file_that_a_word_names_is_found_there_too(recording):
    argv = ["python3", "/no/such/weather/server.py", "/no/such/weather/other.py"]
    found = shipped(header(*argv, cwd="/"), argv, recording)
    assert found is not None
    assert found.cwd == "/"
    assert list(found.argv) == ["python3", f"{found.folder}/server.py", "/no/such/weather/other.py"]


@pytest.mark.parametrize(
    ("argv", "cwd"),
    [(["server"], "/no/such/other"), (["server"], "/"), (["/no/server.py"], "/"), (["server"], "/no/such/")],
)
def test_where_nothing_is_shipped_nothing_takes_a_place(recording, argv, cwd):
    assert shipped(header(*argv, cwd=cwd), argv, recording) is None


def test_the_user_is_asked_whatever_the_header_says_and_their_own_folder_goes_before(recording):
    plan = relaunch(header("python3", "server.py"), [], None, {}, recording=recording)
    assert plan.is_strange
    assert plan.launch.cwd == str(Path(recording).parent / "weather")
    assert "beside it, takes its place" in plan.sentences[0]
    assert relaunch(header("python3", "server.py"), [], "/", {}, recording=recording).launch.cwd == "/"
