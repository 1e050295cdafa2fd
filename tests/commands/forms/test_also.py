"""Further forms of a report, each in a file; a target that can't be written leaves nothing behind."""

from pathlib import Path

import pytest

from mcptap.commands import main
from mcptap.commands.forms.also import Also, write_also
from mcptap.errors import UserError
from tests.helpers import END, handshake, record
from tests.play.probing import SMALL


def test_a_check_is_printed_and_written_in_other_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    record(tmp_path / "x.jsonl", [*handshake(), ("s2c", b"Ready\n"), *END])
    files = {form: tmp_path / f"report.{form}" for form in ("text", "json", "sarif", "junit")}
    also = [f"--also={form}={path}" for form, path in files.items()]
    assert main(["check", str(tmp_path / "x.jsonl"), "--no-config", "--github", *also]) == 1
    assert capsys.readouterr().out.startswith("::error ")
    for form, path in files.items():
        assert main(["check", str(tmp_path / "x.jsonl"), "--no-config", "--format", form]) == 1
        assert path.read_text() == capsys.readouterr().out


def test_so_is_a_probe(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    also = f"--also=junit={tmp_path / 'x.xml'}"
    assert main(["probe", "--no-record", "--no-config", "--json", also, "--", *SMALL]) == 0
    assert capsys.readouterr().out.startswith("{")
    assert "<testsuites " in (tmp_path / "x.xml").read_text()


@pytest.mark.parametrize("value", ["text", "text=", "word=x", "text=nowhere/x"])
def test_what_is_no_form_with_a_file_is_refused(value: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main(["check", "x.jsonl", "--also", value])
    assert ended.value.code == 2
    assert "argument --also: " in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_a_sentence_and_leaves_nothing(tmp_path: Path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError, match="cannot be written"):
        write_also([Also("text", str(tmp_path / "folder"))], lambda form, terminal: ["a"])
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
