"""The options of `mcptap send`."""

import pytest

from mcptap.commands.sending.options import parser


def test_a_file_alone_is_sent_at_the_pace_of_the_answers():
    options = parser().parse_args(["f"])
    assert (options.pace, options.timeout, options.grace, options.fail_on) == ("answered", 30, 5, "content")
    assert not any((options.compare, options.expect, options.dry_run, options.no_calls, options.masked))


@pytest.mark.parametrize("both", [["--compare", "--expect", "e"], ["--record", "x", "--no-record"]])
def test_what_excludes_each_other_is_refused(both, capsys):
    with pytest.raises(SystemExit):
        parser().parse_args(["f", *both])
    assert "not allowed with" in capsys.readouterr().err


def test_the_help_names_each_exit_status_and_fits_into_100_columns():
    text = parser().format_help()
    assert "exit status: 0" in text
    assert max(map(len, text.splitlines())) <= 100
