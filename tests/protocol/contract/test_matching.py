"""Which server of a lock a session is of."""

from mcptap.protocol.contract.lock import Lock, LockedServer
from mcptap.protocol.contract.matching import match
from mcptap.protocol.contract.offer import Offer


def lock(*servers: LockedServer, only: str = "") -> Lock:
    return Lock(servers={one.name: one for one in servers}, only=only)


A = LockedServer("a", ("npx", "pkg@1"), "pkg")
B = LockedServer("b", ("npx", "pkg@1", "--all"), "pkg")


def found(offer: Offer, *servers: LockedServer, only: str = "") -> str:
    server = match(lock(*servers, only=only), offer).server
    return server.name if server is not None else ""


def test_a_server_is_known_by_its_label_or_its_command():
    assert found(Offer(label="b", command=("other",)), A, B) == "b"
    assert found(Offer(command=("npx", "pkg@1", "--all"), info_name="renamed"), A, B) == "b"
    assert found(Offer(command=("other",)), A, B, only="a") == "a"


def test_another_version_is_the_same_server_and_other_arguments_are_another():
    assert found(Offer(command=("npx", "pkg@2"), info_name="pkg"), A, B) == "a"
    assert found(Offer(command=("npx", "pkg@2", "--some"), info_name="pkg"), A, B) == ""
    assert found(Offer(command=("npx", "pkg@2"), info_name="other"), A, B) == ""


def test_without_a_command_its_own_name_decides_if_only_one_has_it():
    assert found(Offer(info_name="pkg"), A) == "a"
    several = match(lock(A, B), Offer(info_name="pkg"))
    assert (several.server, several.near, several.why) == (None, "a", "several fit it")
    assert match(lock(A), Offer(command=("x",), info_name="pkg")).why == "it is started otherwise"
    assert match(lock(A), Offer(command=("x",))).near == ""
