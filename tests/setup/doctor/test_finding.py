from __future__ import annotations

from pathlib import Path

from mcptap.clients.facts import UNKNOWN, Confidence, Fact, Origin, Source
from mcptap.clients.table import CLIENTS
from mcptap.diagnosis.engine.finding import Level
from mcptap.setup.doctor.finding import Effect, Finding, does

RUN = Source(Origin.RUN, "a run", "1.2")
CODEX = CLIENTS["codex"]


def test_an_effect_says_how_it_is_known_and_what_is_doubtful_about_it():
    assert Effect("it stops", Fact("x", RUN)).sentence == "it stops (seen in 1.2)"
    doubtful = Fact("x", RUN, doubt=Confidence.LOW)
    assert Effect("it stops", doubtful).sentence == "it stops (seen in 1.2, a single hint)"
    assert Effect("it follows").sentence == "it follows"


def test_what_is_not_known_of_a_client_is_said_to_be():
    assert does(CODEX, UNKNOWN, "such a file").sentence == "what Codex does with such a file is not known"
    assert does(CODEX, Fact("stops", RUN, "2.0 did not"), "it").words == "Codex stops; 2.0 did not"


def test_a_finding_has_a_place_that_editors_know():
    found = Finding("c", Level.INFO, CODEX, "user", Path("/a.toml"), "It is.", 3, 4)
    assert found.place == "/a.toml:3:4"
    assert Finding("c", Level.INFO, CODEX, "user", Path("/a.toml"), "It is.").place == "/a.toml"
    assert found.changed(str.upper).message == "IT IS."
