"""Which values a recorded command line lacks, what they are called, and the command line with them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.errors import UserError
from mcptap.masking.command_line import WordMasker
from mcptap.masking.signs import Signs
from mcptap.play.server.secrets import Template, masked_for_question
from mcptap.recording.format.model import Header

KEY = b"k" * 32
S, T = "Plnt3dS3cret9x", "Sw0rdf1sh99"


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def recorded(*argv):
    """The header that the tap would write."""
    words, masked = WordMasker(lambda: KEY).words([word.encode(errors="surrogateescape") for word in argv])
    texts = [word.decode(errors="surrogateescape") for word in words]
    return Header({"mcptap": 1, "argv": texts, "masked": [list(place) for place in masked]})


@pytest.mark.parametrize(
    ("argv", "names"),
    [
        (["x", f"--token={S}"], [("--token", "1")]),
        (["x", "--token", S], [("--token", "2")]),
        (["env", f"API_KEY={S}", "x"], [("API_KEY", "1")]),
        (["docker", "run", "-e", f"FOO={S}"], [("FOO", "-e", "3")]),
        (["x", "--header", f"Authorization: Bearer {S}"], [("Authorization", "--header", "2")]),
        (["curl", "-u", f"bob:{S}"], [("bob", "-u", "2")]),
        (["mysql", f"-p{S}"], [("-p", "1")]),
        (["x", f"https://u:{T}@h/?key={S}"], [("u", "1.1"), ("key", "1.2")]),
        (["sh", "-c", f"A_TOKEN='{S}' x --pw {T}"], [("A_TOKEN", "-c", "2.1"), ("-c", "2.2")]),
        (["x", "--config", f'{{"env":{{"API_KEY":"{S}"}}}}'], [("API_KEY", "--config", "2")]),
        (["x", "--token", S, "--again", f"--token={S}"], [("--token", "2", "4")]),
        (["x", "ghp_" + "aB3" * 12], [("1",)]),
        (["x", "--token", "${TOKEN}", "--api-key=$KEY"], []),
    ],
)
def test_a_masked_value_is_called_by_option_variable_header_and_position(argv, names):
    template = Template(recorded(*argv), ())
    assert [masked.names for masked in template.needed()] == names
    signs = Signs(KEY)
    assert template.filled({signs.of(value): value for value in (S, T, argv[-1])}) == argv


def test_a_name_counts_with_hyphens_or_without():
    (masked,) = Template(recorded("x", "--token", S), ()).needed()
    assert all(masked.is_called(name) for name in ("--token", "token", "2"))
    assert not masked.is_called("tok")
    assert masked.words == "--token (word 2)"


def test_a_command_of_the_users_may_hold_masks_of_the_recorded_one():
    header = recorded("x", "--token", S)
    mask = header.argv[2]
    template = Template(header, ["y", f"--key={mask}"])
    assert [masked.names for masked in template.needed()] == [("--key", "1")]
    assert template.filled({mask: S}) == ["y", f"--key={S}"]


def test_of_a_recording_that_has_its_secrets_the_masks_stand_for_them(monkeypatch):
    monkeypatch.setattr("mcptap.play.server.secrets.installation_key", lambda: KEY)
    shown = recorded("x", "--token", S).argv
    template = Template(Header({"mcptap": 1, "argv": ["x", "--token", S]}), shown)
    assert template.needed() == []
    assert template.filled({}) == ["x", "--token", S]


@pytest.mark.parametrize("header", [None, recorded("x", "--token", S)], ids=["none", "another"])
def test_a_mask_that_nobody_knows_is_an_error(header):
    with pytest.raises(UserError, match="no such masked value"):
        Template(header, ["y", "‹masked:000000›"])


def test_a_mask_that_was_in_the_command_itself_is_no_place():
    header = Header({"mcptap": 1, "argv": ["x", "‹masked:000000›"]})
    assert Template(header, ()).needed() == []
    assert Template(header, ()).filled({}) == ["x", "‹masked:000000›"]


WORDS = ("x", "--token", f"--pw={S}", "ü", "\udcff", f"k\udcfe=1 token={T}", S, T)


@given(st.lists(st.sampled_from(WORDS), max_size=6))
def test_masked_and_filled_again_a_command_line_is_what_it_was(argv):
    header = recorded(*argv)
    template = Template(header, ())
    signs = Signs(KEY)
    assert template.filled({signs.of(value): value for value in WORDS}) == argv


@pytest.mark.parametrize(
    "argv",
    [
        ["env", "LD_PRELOAD=evil1234.so", "git"],
        ["env", "FOO=abc1234567", "srv"],
        ["docker", "run", "-e", "BASH_ENV=evil1234", "img"],
        ["sh", "-c", "BASH_ENV=evil1234 srv"],
        ["sh", "-c", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc1234"],
        ["sh", "-c", "x --token `touch${IFS}/tmp/x` y"],
        ["env", "API_KEY=/tmp/evil1234", "srv"],
        ["npx", "-y", "--api-key", "evil1234"],
        ["npx.cmd", "--package", "good", "--secret", "evil1234"],
        ["npm", "exec", "--token", "evil1234"],
    ],
)
def test_a_question_shows_whatever_could_be_run(argv):
    assert masked_for_question(argv) == argv


@pytest.mark.parametrize(
    "argv",
    [
        ["env", "API_KEY=abc1234567", "srv"],
        ["srv", "--token", "abc1234567"],
        ["srv", "--token=abc1234567"],
        ["npx", "-y", "srv", "--token", "abc1234567"],
        ["npm", "exec", "srv", "--token", "abc1234567"],
        ["mcp-remote", "https://u:abc1234567@h/x"],
        ["sh", "-c", "export TOKEN=abc1234567; srv"],
    ],
)
def test_a_question_shows_masks_for_what_can_only_be_a_secret(argv):
    assert "abc1234567" not in " ".join(masked_for_question(argv))
