"""`mcptap mock` as a command: what it lists and what it refuses."""

import pytest

from mcptap.commands import main
from mcptap.play.mock.faults import FAULTS
from tests.play.tape import healthy


def test_every_fault_is_listed_with_the_rules_that_report_it(capsys):
    assert main(["mock", "--list-faults"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(FAULTS)
    assert next(line.split()[1] for line in lines if line.startswith("crlf ")) == "crlf"
    for line, fault in zip(lines, FAULTS.values(), strict=True):
        assert line.endswith(f" {fault.text}")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "mock needs a recording to answer from"),
        (["missing.jsonl"], "missing.jsonl"),
        (
            ["r.jsonl", "--fault", "no-such-fault"],
            "there is no fault 'no-such-fault'; there are ",
        ),
        (["r.jsonl", "--on", "tools/call"], "--on says nothing without --fault"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(tmp_path, monkeypatch, capsys, arguments, words):
    healthy().write(tmp_path / "r.jsonl")
    monkeypatch.chdir(tmp_path)
    assert main(["mock", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert words in err
