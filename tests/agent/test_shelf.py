import os

import pytest

from mcptap.agent.arguments import ToolError
from mcptap.agent.settings import Settings
from mcptap.agent.shelf import Shelf, moment
from tests.agent.asking import FINE, keep, shelf
from tests.helpers import record


def names(on: Shelf) -> list[str]:
    return [known.name for known in on.sessions()]


def test_sessions_are_numbered_from_the_oldest_so_that_a_name_stays_true(tmp_path):
    for at in (1, 2):
        keep(tmp_path, "weather", FINE, at)
    first = shelf(tmp_path).find("weather#2").path
    keep(tmp_path, "weather", FINE, 3)
    keep(tmp_path, "notes", FINE, 4)
    on = shelf(tmp_path)
    assert names(on) == ["notes#1", "weather#3", "weather#2", "weather#1"]
    assert on.find("weather#2").path == first
    assert on.find("weather").name == "weather#3"
    assert on.find("latest").name == "notes#1"
    assert on.find("latest~2").name == "weather#2"


@pytest.mark.parametrize(
    "target",
    ["/etc/passwd", "../weather", "weather/../../x.jsonl", "weather#9", "latest~9", "latest-probe", "-"],
)
def test_what_is_no_name_is_refused_with_those_that_there_are(tmp_path, target):
    keep(tmp_path, "weather", FINE)
    with pytest.raises(ToolError, match="there are weather"):
        shelf(tmp_path).find(target)


def test_a_path_is_no_name_even_if_a_recording_lies_there(tmp_path):
    path = keep(tmp_path, "weather", FINE)
    for target in (str(path), path.name, f"weather/{path.name}"):
        with pytest.raises(ToolError):
            shelf(tmp_path).find(target)


def test_a_link_that_leads_out_of_the_folder_is_passed_over(tmp_path):
    (tmp_path / "in").mkdir()
    out = record(tmp_path / "out.jsonl", FINE)
    os.symlink(out, tmp_path / "in" / "weather.jsonl")
    os.symlink(tmp_path, tmp_path / "in" / "folder")
    assert names(shelf(tmp_path / "in")) == []
    inner = keep(tmp_path / "in", "notes", FINE)
    os.symlink(inner, tmp_path / "in" / "again.jsonl")
    assert set(names(shelf(tmp_path / "in"))) == {"notes#1", "again#1"}


def test_by_default_what_was_started_elsewhere_is_hidden_and_that_is_said(tmp_path, monkeypatch):
    project = tmp_path / "project"
    project.mkdir()
    keep(tmp_path, "here", FINE, 1, cwd=str(project))
    keep(tmp_path, "below", FINE, 2, cwd=str(project / "sub"))
    keep(tmp_path, "beside", FINE, 3, cwd=f"{project}-two")
    keep(tmp_path, "sibling", FINE, 4, cwd="/gone", parent={"pid": os.getppid()}, wall=1 << 52)
    monkeypatch.chdir(project)
    on = Shelf(Settings(str(tmp_path)))
    assert set(names(on)) == {"here#1", "below#1", "sibling#1"}
    assert [known.name for known in on.sessions() if known.is_siblings] == ["sibling#1"]
    assert "1 others are hidden (mcptap mcp --all)" in on.scope()
    with pytest.raises(ToolError, match="so it is hidden"):
        on.find("beside")
    assert len(names(shelf(tmp_path))) == 4


def test_of_a_client_in_no_project_the_projects_stay_hidden(tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    keep(tmp_path, "own", FINE, 1, cwd=str(home))
    keep(tmp_path, "of-a-project", FINE, 2, cwd=str(home / "project"))
    monkeypatch.chdir(home)
    monkeypatch.setenv("HOME", str(home))
    assert names(Shelf(Settings(str(tmp_path)))) == ["own#1"]


def test_it_says_why_a_session_is_not_shown_and_nothing_false(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    keep(tmp_path, "elsewhere", FINE, 1, cwd="/gone")
    keep(tmp_path, "asked", FINE, 2, cwd=str(tmp_path), probe="as no client")
    keep(tmp_path, "notes", FINE, 3, cwd=str(tmp_path))
    on = Shelf(Settings(str(tmp_path)))
    for target, words in (
        ("elsewhere", "so it is hidden unless"),
        ("asked", "is a session of mcptap probe"),
        ("asked#2", "there is no session"),
    ):
        with pytest.raises(ToolError, match=f"{words}.*there are notes"):
            on.find(target)
    with pytest.raises(ToolError, match="there is no session 'notes'; none is recorded here"):
        Shelf(Settings(str(tmp_path), server="other")).find("notes")


def test_its_own_sessions_and_those_of_probes_are_not_listed(tmp_path):
    keep(tmp_path, "weather", FINE, 1)
    keep(tmp_path, "weather", FINE, 2, probe="as no client")
    keep(tmp_path, "mcptap", FINE, 3, argv=["/usr/bin/mcptap", "mcp"])
    on = shelf(tmp_path)
    assert names(on) == ["weather#1"]
    assert on.find("mcptap").name == "mcptap#1"


def test_the_person_who_starts_it_can_narrow_what_is_shown(tmp_path):
    keep(tmp_path, "weather", FINE, 1)
    keep(tmp_path, "notes", FINE, 2)
    assert names(shelf(tmp_path, server="weath")) == ["weather#1"]
    assert names(shelf(tmp_path, server="*s")) == ["notes#1"]
    assert names(shelf(tmp_path, since="2h")) == []
    assert len(names(shelf(tmp_path, since="2026-11-28"))) == 2


def test_a_recording_that_is_named_by_its_user_is_called_after_its_file(tmp_path):
    record(tmp_path / "my <b>own.jsonl", FINE)
    record(tmp_path / "weather-20261129T211701.000000Z-4001.jsonl", FINE)
    assert set(names(shelf(tmp_path))) == {"my--b-own#1", "weather#1"}


def test_a_moment_is_an_age_or_a_date():
    assert moment("2026-11-29T00:00:00+00:00") == 1_795_910_400_000_000
    assert moment("1h") > moment("2h")
    with pytest.raises(ToolError, match="say 2h, 3d or a date"):
        moment("yesterday")
