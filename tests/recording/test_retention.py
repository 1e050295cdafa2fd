"""Limits: how they are written, what is over them, and the standing one in the user's settings."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path

import platformdirs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.errors import UserError
from mcptap.recording.retention import (
    Candidate,
    Limit,
    age_words,
    over,
    parse_age,
    parse_either,
    parse_size,
    save_standing_limit,
    settings_path,
    size_words,
    standing_limit,
)

DAY_US = 86_400_000_000
NOW_US = 100 * DAY_US


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("30d", 2_592_000), ("12h", 43_200), ("2w", 1_209_600), ("90m", 5_400), ("1.5 d", 129_600)],
)
def test_ages(text: str, seconds: int) -> None:
    assert parse_age(text) == seconds


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("500MB", 500_000_000),
        ("1.5GB", 1_500_000_000),
        ("200k", 200_000),
        ("7B", 7),
        ("2 gb", 2 * 10**9),
    ],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "30", "30 days", "d", "-1d", "1y", "1e9d", "∞", "6M", "30D"])
def test_what_is_no_age_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no age"):
        parse_age(text)


@pytest.mark.parametrize("text", ["", "0", "30", "MB", "-1MB", "5XB", "5MiB", "5d", "5BB"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no size"):
        parse_size(text)


def test_an_age_or_a_size_is_told_by_its_unit() -> None:
    assert parse_either("30d") == Limit(older_than_s=30 * 86_400)
    assert parse_either("500M") == parse_either("500MB") == Limit(max_bytes=500_000_000)
    for text, said in (("500m", "may be minutes or megabytes"), ("30", "is no size")):
        with pytest.raises(ValueError, match=said):
            parse_either(text)


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.integers(0, 10**9))
def test_words_are_read_as_what_they_say(minutes: int, size: int) -> None:
    assert parse_age(age_words(minutes * 60)) == minutes * 60
    assert parse_size(size_words(size)) == size


def some(*ages: int, server: str = "a", size: int = 10) -> list[Candidate]:
    """Recordings that were written to so many days ago."""
    return [Candidate(f"{server}-{age}", server, NOW_US - age * DAY_US, size) for age in ages]


def gone(recordings: list[Candidate], limit: Limit, stays: str = "") -> dict[str, str]:
    return {one.path: why for one, why in over(recordings, limit, NOW_US, lambda one: one.path != stays)}


def test_no_limit_lets_all_stay() -> None:
    assert gone(some(1, 99), Limit()) == {}
    assert Limit(keep_findings=True).is_none


def test_what_is_older_goes() -> None:
    assert gone(some(1, 30, 31), Limit(older_than_s=30 * 86_400)) == {"a-31": "older than 30d"}


def test_of_each_server_the_newest_stay() -> None:
    recordings = [*some(1, 2, 3), *some(50, server="b")]
    assert gone(recordings, Limit(keep=1)) == {
        "a-3": "not among the newest 1",
        "a-2": "not among the newest 1",
    }
    assert len(gone(recordings, Limit(keep=0))) == 4


def test_probes_push_no_sessions_out() -> None:
    probes = [replace(one, path=f"probe-{one.path}", is_probe=True) for one in some(1, 2, 3)]
    assert set(gone([*probes, *some(50, 51)], Limit(keep=1))) == {"probe-a-3", "probe-a-2", "a-51"}


def test_the_oldest_go_until_the_rest_has_room() -> None:
    assert list(gone(some(1, 2, 3, 4), Limit(max_bytes=25))) == ["a-4", "a-3"]
    assert list(gone(some(1, 2, 3, 4), Limit(max_bytes=0))) == ["a-4", "a-3", "a-2", "a-1"]
    assert gone(some(1, 2), Limit(max_bytes=20)) == {}


def test_what_may_not_go_takes_its_room() -> None:
    assert list(gone(some(1, 2, 3, 4), Limit(max_bytes=25), stays="a-4")) == ["a-3", "a-2"]


def test_what_goes_for_another_reason_makes_room() -> None:
    assert list(gone(some(1, 2, 40), Limit(older_than_s=30 * 86_400, max_bytes=20))) == ["a-40"]


# --- the settings ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "environ", [{"HOME": "/home/ann"}, {"HOME": "/home/ann", "XDG_CONFIG_HOME": "/config"}]
)
def test_the_settings_are_where_platformdirs_has_them(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    expected = os.path.join(platformdirs.user_config_dir("mcptap", appauthor=False), "settings.toml")
    assert settings_path(environ) == expected


def test_a_relative_folder_for_settings_would_be_a_projects() -> None:
    assert (
        settings_path({"HOME": "/home/ann", "XDG_CONFIG_HOME": "config"})
        == "/home/ann/.config/mcptap/settings.toml"
    )


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config"), "LOCALAPPDATA": str(tmp_path)}


FULL = Limit(30 * 86_400, 20, 500_000_000, True)


@pytest.mark.parametrize("limit", [FULL, Limit(keep=0), Limit(older_than_s=60), Limit(max_bytes=1)])
def test_a_limit_that_was_saved_is_read(environ: dict[str, str], limit: Limit) -> None:
    path = save_standing_limit(limit, environ)
    assert standing_limit(environ) == limit
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert os.listdir(os.path.dirname(path)) == ["settings.toml"]


def test_without_settings_there_is_no_limit(environ: dict[str, str]) -> None:
    assert standing_limit(environ).is_none


def test_other_settings_and_comments_stay(environ: dict[str, str]) -> None:
    path = Path(save_standing_limit(Limit(keep=3), environ))
    path.write_text('# mine\n[other]\nx = "1"  # one\n\n[recordings] # old\nkeep = 3\n\n[more]\ny = 2\n')
    save_standing_limit(Limit(keep=4), environ)
    new = '# mine\n[other]\nx = "1"  # one\n\n[recordings] # old\nkeep = 4\n\n[more]\ny = 2\n'
    assert path.read_text() == new
    save_standing_limit(Limit(), environ)
    assert path.read_text() == '# mine\n[other]\nx = "1"  # one\n\n[more]\ny = 2\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[recordings]\n# why\nkeep = 3\n\n# of more\n[more]\ny = 2\n",
         "[recordings]\nkeep = 4\n# why\n\n# of more\n[more]\ny = 2\n"),
        ("[more]\r\ny = 2\r\n", "[more]\r\ny = 2\r\n[recordings]\r\nkeep = 4\r\n"),
        ("# a\u2028b\ny = 'c\u2028d'", "# a\u2028b\ny = 'c\u2028d'\n[recordings]\nkeep = 4\n"),
    ],
)  # fmt: skip
def test_comments_and_line_ends_stay(environ: dict[str, str], before: str, after: str) -> None:
    path = Path(save_standing_limit(Limit(keep=3), environ))
    path.write_bytes(before.encode())
    save_standing_limit(Limit(keep=4), environ)
    assert path.read_bytes() == after.encode()


@pytest.mark.parametrize(
    "text",
    [
        "recordings = { keep = 3 }\n", "recordings.keep = 3\n", '["recordings"]\nkeep = 3\n',
        'x = """\n[recordings]\n"""\n', "[recordings]\nolder-than = \"\"\"\n30d\"\"\"\n",
    ],
)  # fmt: skip
def test_a_table_in_another_form_is_not_replaced(environ: dict[str, str], text: str) -> None:
    path = Path(save_standing_limit(Limit(keep=3), environ))
    path.write_text(text)
    with pytest.raises(UserError, match="in a form that can't be replaced"):
        save_standing_limit(Limit(keep=4), environ)
    assert path.read_text() == text


def test_a_limit_that_stands_already_is_not_written_again(environ: dict[str, str]) -> None:
    assert not os.path.exists(save_standing_limit(Limit(), environ))
    path = Path(save_standing_limit(Limit(keep=3), environ))
    path.write_text("recordings = { keep = 3 }\n")
    save_standing_limit(Limit(keep=3), environ)
    assert path.read_text() == "recordings = { keep = 3 }\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_settings_that_are_no_file_are_not_waited_for(environ: dict[str, str]) -> None:
    path = save_standing_limit(Limit(keep=3), environ)
    os.unlink(path)
    os.mkfifo(path)
    with pytest.raises(UserError, match="is no regular file"):
        standing_limit(environ)


def test_settings_that_are_a_link_stay_one(environ: dict[str, str], tmp_path: Path) -> None:
    path = Path(save_standing_limit(Limit(keep=3), environ))
    target = tmp_path / "dotfiles" / "settings.toml"
    target.parent.mkdir()
    path.rename(target)
    path.symlink_to(target)
    save_standing_limit(Limit(keep=4), environ)
    assert path.is_symlink()
    assert "keep = 4" in target.read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[recordings]\nkeep = -1", "keep has to be a whole number"),
        ("[recordings]\nkeep = true", "keep has to be a whole number"),
        ('[recordings]\nolder-than = "soon"', "is no age"),
        ('[recordings]\nkeep-findings = "yes"', "has to be true or false"),
        ("[recordings]\nmax-size = 500", "is no size"),
        ("[recordings]\nolder = 1", "has no setting 'older'"),
        ("recordings = 1", "has to be a table"),
        ("[recordings", "is not TOML"),
        ("x = " + "1" * 5000, "is not TOML"),
    ],
)
def test_what_is_wrong_in_the_settings_is_said(environ: dict[str, str], text: str, said: str) -> None:
    path = Path(save_standing_limit(Limit(keep=3), environ))
    path.write_text(text)
    with pytest.raises(UserError, match=said):
        standing_limit(environ)
    with pytest.raises(UserError, match=said):
        save_standing_limit(Limit(keep=4), environ)
    assert path.read_text() == text


def test_settings_that_others_can_write_are_not_gone_by(environ: dict[str, str]) -> None:
    path = save_standing_limit(Limit(keep=3), environ)
    os.chmod(path, 0o620)
    with pytest.raises(UserError, match="can be written by others"):
        standing_limit(environ)
