from __future__ import annotations

from mcptap.diagnosis.engine.finding import Level
from tests.setup.machines import Disk, found_in, machine, worse

WRAPPED = {"command": "/usr/bin/mcptap", "args": ["run", "--", "npx", "-y", "x"]}


def test_a_wrapper_at_its_path_is_fine_and_unrecorded_is_worth_a_note():
    found = found_in("claude-code", WRAPPED)
    assert worse(found) == []
    assert found["wrapper-unrecorded"].level is Level.INFO
    assert "wrapper-unrecorded" not in found_in("claude-code", WRAPPED, on=machine(Disk(records=["one"])))


def test_a_wrapper_that_is_gone_is_an_error():
    found = found_in("claude-code", {**WRAPPED, "command": "/opt/gone/mcptap"})
    assert worse(found) == ["wrapper-missing"]
    assert found["wrapper-missing"].message == "mcptap is not at /opt/gone/mcptap."


def test_a_bare_name_is_a_warning_and_an_error_where_the_entry_s_own_path_hides_it():
    assert found_in("claude-code", {**WRAPPED, "command": "mcptap"})["wrapper-bare"].level is Level.WARNING
    hidden = {**WRAPPED, "command": "mcptap", "env": {"PATH": "/opt/none"}}
    found = found_in("claude-code", hidden)["wrapper-bare"]
    assert (found.level, "it is not" in found.effect.words) == (Level.ERROR, True)


def test_wrapped_twice_is_a_warning():
    twice = {
        "command": "/usr/bin/mcptap",
        "args": ["run", "--", *WRAPPED["args"][:0], "mcptap", *WRAPPED["args"]],
    }
    found = found_in("claude-code", twice)["wrapped-twice"]
    assert (found.level, "2 times" in found.message) == (Level.WARNING, True)


def test_a_launcher_may_fetch_another_mcptap():
    fetched = {"command": "uvx", "args": ["mcptap", *WRAPPED["args"]]}
    assert found_in("claude-code", fetched)["wrapper-by-launcher"].level is Level.WARNING
    module = {"command": "python", "args": ["-m", "mcptap", *WRAPPED["args"]]}
    assert found_in("claude-code", module)["wrapper-by-launcher"].level is Level.INFO


def test_a_server_that_is_only_called_mcptap_is_none():
    found = found_in("claude-code", {"command": "npx", "args": ["-y", "x", "mcptap", "--"]}, "mcptap")
    assert worse(found) == []
