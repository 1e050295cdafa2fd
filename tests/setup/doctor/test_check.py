from __future__ import annotations

import pytest

import mcptap.setup.checks  # noqa: F401 - registers the checks
from mcptap.setup.doctor.check import CHECKS, ERROR, About, check


def test_a_name_is_given_once():
    with pytest.raises(ValueError, match="two checks are called tilde"):
        check("tilde", ERROR, About.FILE, "once more")(lambda _: iter(()))


def test_a_check_is_found_because_its_module_is_there():
    assert CHECKS["tilde"].about is About.SERVER
