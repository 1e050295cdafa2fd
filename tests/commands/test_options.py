"""Numbers among arguments: what is none is one sentence, never a traceback."""

import pytest

from mcptap.commands import main


@pytest.mark.parametrize(
    "arguments",
    [
        ["probe", "--timeout", "nan", "--", "server"],
        ["probe", "--start-timeout", "-1", "--", "server"],
        ["probe", "--call-timeout", "soon", "--", "server"],
        ["send", "--grace", "inf", "file"],
        ["send", "--only", "0", "file"],
        ["diff", "--slower", "0.5", "a", "b"],
        ["mock", "--delay", "nan", "--fault", "delayed-answer", "file"],
    ],
)
def test_a_value_that_is_no_such_number_is_explained(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert f"{arguments[1]}: {arguments[2]!r} is not a " in last
