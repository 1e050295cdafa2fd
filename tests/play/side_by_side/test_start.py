"""A server that is to be started, at home or by a client."""

from __future__ import annotations

import os

from mcptap.clients.table import CLIENTS
from mcptap.play.server.launch import Launch
from mcptap.play.side_by_side.start import Start


def test_at_home_it_has_all_variables_and_the_folder_of_the_user(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    own = Start(Launch(["server"], None, {"A": "1"}), {"B": "2"}, "elsewhere").own
    assert (own.cwd, own.environment) == (str(tmp_path), {"A": "1", "B": "2"})


def test_what_the_user_has_comes_first_at_home_and_the_entry_s_elsewhere():
    start = Start(Launch(["server"], "/work", {"PATH": "/mine"}), {"PATH": "/entry", "B": "2"})
    assert start.home.environment == {"PATH": "/mine", "B": "2"}
    assert start.own.environment == {"PATH": "/entry", "B": "2"}


def test_a_client_starts_it_in_its_own_way_and_remarks_are_kept():
    start = Start(Launch(["server"], "/work", dict(os.environ)), {"B": "2"}, "sub", ["a remark"])
    launch, report = start.by(CLIENTS["codex"])
    assert launch.environment["B"] == "2"
    assert launch.cwd == "/work/sub"
    assert "a remark" in report.remarks
    assert start.by(CLIENTS["codex"])[1] is not report
