"""What a recording tells of what a server offers, and what can't be locked."""

from pathlib import Path

import pytest

from mcptap.commands.locking.seen import seen_in
from mcptap.errors import UserError

STEPS = """known: everything{but}
* a good handshake: {{"tools":{{}}}} {client}
{lists}
"""


def written(
    tmp_path: Path, *, but: str = "", client: str = "{}", lists: str = "* a good tools/list: add"
) -> str:
    path = tmp_path / "session.txt"
    path.write_text(STEPS.format(but=but, client=client, lists=lists))
    return str(path)


def test_a_session_in_which_all_was_listed_can_be_locked(tmp_path: Path):
    seen = seen_in(written(tmp_path))
    assert ("tool", "add") in seen.offer.items
    assert seen.needs == {}
    assert set(seen_in(written(tmp_path, client='{"roots":{}}')).needs.values()) == {frozenset({"roots"})}


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"but": " but contents"}, "it does not keep what messages said"),
        ({"but": " but values"}, "values in it were replaced or shortened"),
        (
            {"lists": "* 1 pages of tools/list, each with a cursor: add"},
            "of tools/list it does not hold every page",
        ),
        ({"lists": "* 1 second passes"}, "nothing was listed in it"),
    ],
)
def test_what_does_not_tell_all_is_refused(tmp_path: Path, members: dict[str, str], words: str):
    with pytest.raises(UserError) as error:
        seen_in(written(tmp_path, **members))
    assert words in str(error.value)
