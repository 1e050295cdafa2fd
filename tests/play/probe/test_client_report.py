"""What a client would have shown, in words."""

import pytest

from mcptap.clients.client import Client
from mcptap.clients.facts import UNKNOWN, Fact, Origin, Source
from mcptap.play.probe.client_report import ClientOutcome, ClientReport, with_source

CLIENT = Client("x", "X")


@pytest.mark.parametrize(
    ("outcome", "ended_early", "works", "runs"),
    [
        (ClientOutcome.LISTED, False, True, True),
        (ClientOutcome.NO_TOOLS, False, True, True),
        (ClientOutcome.HUNG, False, False, True),
        (ClientOutcome.DISCONNECTED, False, False, True),
        (ClientOutcome.DISCONNECTED, True, False, False),
        (ClientOutcome.FAILED, False, False, False),
    ],
)
def test_a_server_works_once_connected_and_runs_if_it_could_be_asked(outcome, ended_early, works, runs):
    report = ClientReport(CLIENT, outcome, ended_early=ended_early)
    assert (report.works, report.runs) == (works, runs)


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (ClientReport(CLIENT, ClientOutcome.LISTED, tools=["a"]), "1 tool: a"),
        (ClientReport(CLIENT, ClientOutcome.LISTED, tools=["a", "b"]), "2 tools: a, b"),
        (
            ClientReport(CLIENT, ClientOutcome.NO_TOOLS, "it lists none"),
            "connected, without tools: it lists none",
        ),
        (ClientReport(CLIENT, ClientOutcome.HUNG, "no answer"), "hung: no answer"),
    ],
)
def test_the_tools_are_counted_and_named_and_else_the_reason_is_given(report, words):
    assert report.words == words


def test_a_fact_comes_with_how_it_is_known_and_its_note():
    seen = Source(Origin.RUN, "a run", "1.0")
    assert with_source("/", Fact("/", seen)) == "/ (seen by running that version)"
    assert with_source("/", Fact("/", seen, "on Linux")) == "/ (seen by running that version; on Linux)"
    assert with_source("/", UNKNOWN) == "/ (not known)"
