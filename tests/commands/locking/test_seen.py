"""What a recording tells of what a server offers, and what can't be locked."""

from contextlib import closing
from pathlib import Path

import pytest

from mcptap.captures.open import open_source
from mcptap.commands.locking.seen import seen_in
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.errors import UserError
from mcptap.protocol.contract.items import Class
from mcptap.protocol.contract.judgement import judged
from mcptap.protocol.contract.lock import Lock

STEPS = """known: everything{but}
* the launch: {launch}
* a good handshake: {{"tools":{{}}}} {client}
{lists}
"""


MASKED = '{"export":{"masked":{"token":1}}}'
HIDES = '{"name":"hides","description":"Key ‹masked:abcd12›","inputSchema":{"type":"object"}}'


def written(
    tmp_path: Path,
    *,
    but: str = "",
    launch: str = "{}",
    client: str = "{}",
    lists: str = "* a good tools/list: add",
) -> str:
    path = tmp_path / "session.txt"
    path.write_text(STEPS.format(but=but, launch=launch, client=client, lists=lists))
    return str(path)


def test_masks_in_place_of_secrets_are_held_against_nothing_that_was_approved(tmp_path: Path):
    whole = HIDES.replace("‹masked:abcd12›", "sk")
    approved = seen_in(written(tmp_path, lists=f"* a good tools/list: {whole} add")).offer.approved("weather")
    lock = Lock(servers={"weather": approved})
    path = written(tmp_path, launch=MASKED, lists=f"* a good tools/list: {HIDES}")
    with closing(open_source(path)) as source:
        diagnosis = Diagnosis(source.header, evidence=source.evidence, lock=lock)
        for item in source.items():
            diagnosis.feed(item)
    found = judged(diagnosis.session)
    assert found is not None
    assert [(one.name, one.cls) for one in found.differences] == [("add", Class.GONE)]
    assert found.notes == (
        "1 item (hides) is not compared, since secrets there were masked when the recording was exported",
    )


def test_a_mask_that_the_server_itself_wrote_hides_nothing(tmp_path: Path):
    offer = seen_in(written(tmp_path, lists=f"* a good tools/list: {HIDES}")).offer
    assert offer.masked == frozenset()


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
        ({"launch": MASKED, "lists": f"* a good tools/list: {HIDES} add"}, "secrets in hides were masked"),
    ],
)
def test_what_does_not_tell_all_is_refused(tmp_path: Path, members: dict[str, str], words: str):
    with pytest.raises(UserError) as error:
        seen_in(written(tmp_path, **members))
    assert words in str(error.value)
