"""The project's settings for check: where they are found, and what is refused."""

from pathlib import Path

import pytest

from mcptap.commands.checking import settings as check_settings
from mcptap.commands.checking.settings import Settings, load
from mcptap.errors import UserError


def test_pyproject_holds_them_and_is_found_from_below(tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text(
        '[tool.mcptap.check]\nmin-level = "warning"\nfail-on = "error"\ndesign = true\n'
        '[tool.mcptap.check.ignore]\ncrlf = "Windows"\n'
    )
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert load(str(below)) == Settings(
        str(tmp_path / "pyproject.toml"), "warning", "error", False, True, None, {"crlf": "Windows"}
    )


def test_the_own_file_comes_before_pyproject(tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text('[tool.mcptap.check]\nmin-level = "warning"\n')
    (tmp_path / ".mcptap.toml").write_text('[check]\nmin-level = "error"\n')
    assert load(str(tmp_path)).min_level == "error"


def test_a_pyproject_of_another_tool_is_passed_by(tmp_path: Path):
    (tmp_path / ".mcptap.toml").write_text('[check]\nfail-on = "never"\n')
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "pyproject.toml").write_text("[tool.ruff]\nline-length = 100\n")
    assert load(str(inner)).fail_on == "never"


def test_nothing_is_sought_beyond_the_repository(tmp_path: Path):
    (tmp_path / ".mcptap.toml").write_text('[check]\nmin-level = "error"\n')
    inner = tmp_path / "inner"
    (inner / ".git").mkdir(parents=True)
    assert load(str(inner)) == Settings()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("check = 1", "have to be a table"),
        ("[check]\nmin_level = 'error'", "no setting 'min_level'"),
        ("[check]\nmin-level = 'fatal'", "'fatal'; it can be info, warning, error"),
        ("[check]\nmin-level = 'never'", "'never'"),
        ("[check]\nfail-on = ['x']", "fail-on is"),
        ("[check]\ndesign = 'yes'", "true or false"),
        ("[check]\nignore = ['crlf']", "table of lines"),
        ("[check.ignore]\ncrlf = ' '", "needs a reason"),
        ("[check", "is not TOML"),
    ],
)
def test_a_wrong_setting_is_one_sentence_with_the_file(tmp_path: Path, text: str, why: str):
    (tmp_path / ".mcptap.toml").write_text(text)
    with pytest.raises(UserError, match=why) as caught:
        load(str(tmp_path))
    assert str(tmp_path) in str(caught.value)


@pytest.mark.parametrize(
    ("mode", "is_mine", "level"), [(0o777, False, None), (0o777, True, "error"), (0o755, False, "error")]
)
def test_another_users_file_counts_only_where_not_all_may_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, is_mine: bool, level: str | None
):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".mcptap.toml").write_text('[check]\nfail-on = "error"\n')
    tmp_path.chmod(mode)
    monkeypatch.setattr(check_settings, "is_mine", lambda _: is_mine)
    told: list[str] = []
    assert load(str(tmp_path), told.append).fail_on == level
    assert bool(told) is (level is None)


def test_a_lock_is_named_as_it_is_seen_from_the_settings(tmp_path: Path):
    (tmp_path / ".mcptap.toml").write_text('[check]\nlock = "locks/mcptap.lock"\n')
    (tmp_path / "below").mkdir()
    assert load(str(tmp_path / "below")).lock == str(tmp_path / "locks" / "mcptap.lock")
    (tmp_path / ".mcptap.toml").write_text("[check]\nlock = 5\n")
    with pytest.raises(UserError, match="lock has to be the name of a file"):
        load(str(tmp_path))
