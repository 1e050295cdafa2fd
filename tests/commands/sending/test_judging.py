"""The new answers beside those of a recording, or of a file that expects them."""

from mcptap.commands.forms.comparison import comparison_suites
from mcptap.commands.sending.judging import add_end, tell, with_expected, with_recorded
from mcptap.commands.sending.options import parser
from mcptap.masking.masker import Masker
from mcptap.play.client.client_script import load, without_calls
from mcptap.play.compare.comparison import Comparison
from mcptap.play.compare.severity import fails
from mcptap.play.send.actions import Outcome
from mcptap.play.send.player import PlayResult
from mcptap.play.server.stop import Exit
from tests.helpers import END, call, handshake, record, text_result


def recording(path, text):
    steps = [*handshake(), ("c2s", call(2, "add")), ("s2c", text_result(2, text)), *END]
    return str(record(path, steps))


def played(code=0):
    return PlayResult(Outcome(), Exit(code, None), {})


def test_only_what_was_sent_is_compared(tmp_path):
    old, new = recording(tmp_path / "a", "3"), recording(tmp_path / "b", "4")
    script = load(old)
    options = parser().parse_args([old, "--compare"])
    assert with_recorded(old, new, script, played(), options).different
    script, _ = without_calls(script)
    options = parser().parse_args([old, "--compare", "--no-calls"])
    new = str(record(tmp_path / "c", [*handshake(), *END]))
    assert not with_recorded(old, new, script, played(), options).different


def test_an_end_that_is_not_the_expected_one_differs_and_patterns_may_lie_beside(tmp_path):
    new = recording(tmp_path / "b", "at 10:00:00")
    answer = '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"at ‹time›"}]}}'
    lines = [
        "--> " + '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add"}}',
        f"<-- {answer}",
    ]
    (tmp_path / "e").write_text("\n".join([*lines, "exit code: 0"]))
    options = parser().parse_args(["f", "--expect", str(tmp_path / "e")])
    found = with_expected(new, played(3), options)
    assert [entry.about for entry in found.entries if entry.severity] == [
        "initialize (id 0)",
        "end of the server",
    ]
    assert found.overlooked == ["placeholders"]


def test_it_is_told_in_the_form_that_was_asked_for_and_masked(tmp_path, capsys):
    old, new = recording(tmp_path / "a", "token=s3cr3t0123456789"), recording(tmp_path / "b", "4")
    for form in ("--json", "--junit", "--sarif", "--github", "--explain"):
        options = parser().parse_args([old, "--compare", form])
        comparison = with_recorded(old, new, load(old), played(), options)
        assert tell(comparison, old, Masker(), options) == 1
        out = capsys.readouterr().out
        assert "add" in out
        assert "s3cr3t" not in out


def test_a_bad_end_counts_once_in_every_form():
    comparison = Comparison([])
    add_end(comparison, "")
    assert comparison.entries == []
    add_end(comparison, "the server ended with exit code 7; the recorded one did not")
    add_end(comparison, "the server ended with exit code 7; the recorded one did not")
    [entry] = comparison.entries
    assert fails(comparison, "contract")
    assert comparison_suites(comparison, "send", "x", "contract").suites[0].cases[0].findings
    assert entry.about == "end of the server"
