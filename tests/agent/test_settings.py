import pytest

from mcptap.agent.settings import settings_of


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], (None, "", False)),
        (["--all", "--server", "weather"], (None, "weather", True)),
        (["--dir", "."], (".", "", False)),
        (["--dir"], None),
        (["--dir", "/no/such/folder"], None),
        (["--since", "2h"], None),
        (["--server=weather"], None),
        (["--help"], None),
    ],
)
def test_the_usual_options_need_no_parser(words, expected):
    got = settings_of(words)
    assert (got and (got.folder, got.server, got.everything)) == expected
