"""Openings, lists and ping, against real processes."""

import os

import pytest
import trio

from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.findings import findings_of
from mcptap.play.probe.probe import probe
from mcptap.play.probe.verdict import Grade
from mcptap.play.server.launch import Launch
from tests.play.probing import SMALL, grades, probed


def test_a_server_of_the_stateless_revision_alone_is_not_blamed_for_that(tmp_path):
    result = probed([*SMALL, "stateless"], tmp_path)
    assert result.bad == []
    assert [f.finding.rule for f in findings_of(result.sessions) if f.counts] == []
    assert grades(result)["initialize"] is Grade.DIFFERS
    assert grades(result)["a request of an unknown revision"] is Grade.FINE
    assert result.server is not None
    assert result.server.is_stateless


def test_a_server_that_answers_no_ping_is_not_said_to_hang_over_every_question(tmp_path):
    settings = ConnectionSettings(
        Launch([*SMALL, "deaf-to-ping"]), 0.5, 20, record=f"{tmp_path}{os.sep}", tell=pytest.fail
    )
    result = trio.run(probe, settings)
    assert [v.question for v in result.bad] == ["ping"]
