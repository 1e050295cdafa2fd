"""What was measured of real clients, what is stated of them, and what those that are here do now."""

from __future__ import annotations

from typing import Any

import pytest

from mcptap.clients.facts import Fact, Origin
from mcptap.clients.faults import Fault
from mcptap.clients.outcomes import Outcome
from mcptap.clients.reactions import known_outcome
from mcptap.clients.table import CLIENTS
from tests.real.environments import FOLDER
from tests.real.measuring import clients, table
from tests.real.measuring.cases import CASES, DISCOVER
from tests.real.measuring.installed import installed

MEASURED = table.load()
IDS = {"fastmcp": "fastmcp-client"}
SAMPLE = (
    *("healthy", "capabilities-empty", "tools-capability-null", "revision-unknown", "description-null"),
    *("input-schema-missing", "result-and-error", "mock-wrong-id-type", "list-changed-unpromised"),
)
"""Cases in which no client waits for its time limit."""


def fits(seen: dict[str, Any], stated: Outcome) -> bool:
    """Whether this is what somebody sees of a client that does what is stated."""
    match seen["outcome"]:
        case clients.HAS_TOOLS:
            return stated.harmless
        case clients.SOME_TOOLS:
            return stated is Outcome.DROPS_TOOLS
        case clients.NO_TOOLS:
            return stated is Outcome.NEVER_ASKS
        case clients.LIST_FAILS:
            return stated.loses_list or (stated.ends_session and not seen.get("goes_on"))
        case clients.LIST_HANGS | clients.OPENING_HANGS:
            return stated.waits
        case clients.NOT_CONNECTED:
            # What it waits for until it gives up may be the opening.
            return stated.ends_session or (stated.waits and "notifications/initialized" not in seen["asked"])
    return seen["outcome"] == clients.CONNECTED  # which says nothing of a list


def stated_of(name: str, fault: Fault) -> Fact[Outcome] | None:
    """What is stated of a client, if somebody saw it in a run."""
    fact = known_outcome(CLIENTS[IDS.get(name, name)], fault)
    return fact if fact is not None and fact.source.origin is Origin.RUN else None


@pytest.mark.parametrize("name", MEASURED)
def test_what_is_stated_of_a_client_is_what_was_measured(name: str) -> None:
    by_fault: dict[Fault, dict[str, dict[str, Any]]] = {}
    for case, seen in MEASURED[name]["cases"].items():
        fault = CASES[case].fault
        discovers = DISCOVER in seen["asked"]
        if fault is Fault.BYTE_ORDER_MARK and discovers:
            continue  # only the answer to the probe was lost
        if CASES[case].stateless and not discovers:
            continue  # it never came to the part that is wrong
        if fault is not None:
            by_fault.setdefault(fault, {})[case] = seen
    wrong = {}
    for fault, seen_of in by_fault.items():
        fact = stated_of(name, fault)
        if fact is None or fact.value is None:
            continue
        misfits = {case: seen["outcome"] for case, seen in seen_of.items() if not fits(seen, fact.value)}
        if misfits and not (fact.note and len(misfits) < len(seen_of)):
            wrong[fault.value] = (fact.value.words, misfits)
    assert wrong == {}


@pytest.mark.parametrize("name", MEASURED)
def test_the_opening_that_is_stated_is_the_one_that_was_measured(name: str) -> None:
    seen = MEASURED[name]["about"]["opening"]
    opening = CLIENTS[IDS.get(name, name)].opening.value
    assert opening is not None
    assert opening.handshake == seen["initialize"]["revision"]
    assert opening.capabilities == seen["initialize"]["capabilities"]
    if "discover" in seen:
        assert (opening.discovers, opening.discover_id) == (True, seen["discover"]["id"])
        assert opening.capabilities == seen["discover"]["capabilities"]
    else:
        assert not opening.discovers or opening.discovers_if
    works = {clients.HAS_TOOLS, clients.CONNECTED}
    cases = {case: each for case, each in MEASURED[name]["cases"].items() if case.startswith("revision-20")}
    taken = tuple(case.removeprefix("revision-") for case, each in cases.items() if each["outcome"] in works)
    assert opening.takes is None or opening.takes == taken


@pytest.mark.parametrize("name", MEASURED)
def test_the_row_is_about_the_version_that_was_measured(name: str) -> None:
    assert CLIENTS[IDS.get(name, name)].version == MEASURED[name]["about"]["version"]


def test_every_case_was_measured_with_every_client() -> None:
    wanted = CASES.keys() - {clients.LASTS}
    assert {
        name: wanted - row["cases"].keys() for name, row in MEASURED.items() if wanted - row["cases"].keys()
    } == {}
    assert MEASURED.keys() == clients.DRIVERS.keys()


@pytest.mark.parametrize("name", clients.DRIVERS)
def test_a_client_that_is_installed_does_what_was_measured(name: str, request: pytest.FixtureRequest) -> None:
    """Some cases only; `python -m tests.real.measure` has them all."""
    if name in ("python-sdk-1", "python-sdk-2"):
        request.getfixturevalue("mcp1" if name.endswith("1") else "mcp2")
    client = installed(FOLDER).get(name)
    if client is None:
        pytest.skip("not installed here: python -m tests.real.measure --install")
    measured = MEASURED[name]["about"]["version"]
    if client.version != measured:
        pytest.skip(f"version {client.version} is here, and {measured} was measured")
    seen = {case: result.as_json() for case, result in clients.measure(client, SAMPLE)}
    assert list(table.differences(name, seen)) == []
