import pytest

from mcptap.agent.arguments import Arguments, ToolError
from mcptap.agent.tools import CALLS, RECORD, SESSIONS


def test_what_a_model_spells_in_its_own_way_is_taken():
    given = Arguments(RECORD, {"session": " weather ", "record": "17", "offset": 4.0, "path": None})
    assert given.needed("session") == "weather"
    assert (given.number("record", None), given.number("offset", 0, least=0)) == (17, 4)
    assert given.text("path") == ""
    assert Arguments(SESSIONS, {"problems_only": "True"}).flag("problems_only") is True


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"sesion": "x"}, "there is no argument 'sesion'; mcptap_calls takes session, filter, limit, cursor"),
        ({"session": 5}, "session has to be a string"),
        ({"session": "x" * 1001}, "at most 1,000"),
        ({}, "session is missing"),
        ({"session": "x", "limit": 0}, "limit has to be a whole number, 1 or more"),
        ({"session": "x", "limit": True}, "limit has to be a whole number"),
        ({"session": "x", "cursor": "-1"}, "cursor has to be one that an earlier answer named"),
    ],
)
def test_wrong_arguments_are_refused_in_a_sentence_with_the_choices(given, words):
    def take():
        arguments = Arguments(CALLS, given)
        return arguments.needed("session"), arguments.number("limit", 20), arguments.cursor()

    with pytest.raises(ToolError, match=words):
        take()


def test_a_flag_is_true_or_false():
    with pytest.raises(ToolError, match="true or false"):
        Arguments(SESSIONS, {"problems_only": "perhaps"}).flag("problems_only")
