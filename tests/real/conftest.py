"""Fixtures that give the real thing, or skip the test with the reason why it is not there."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TypeVar

import pytest

from tests.real.environments import Environments, UnavailableError
from tests.shim.conftest import start

__all__ = ["start"]

T = TypeVar("T")


@pytest.fixture(scope="session")
def environments() -> Environments:
    return Environments()


def _wait_for(made: Future[T]) -> T:
    try:
        return made.result()
    except UnavailableError as reason:
        pytest.skip(f"not available here: {reason}")


@pytest.fixture(scope="session")
def mcp1(environments: Environments) -> str:
    """A Python with `mcp` 1.x."""
    return _wait_for(environments.mcp1)


@pytest.fixture(scope="session")
def mcp2(environments: Environments) -> str:
    """A Python with `mcp` 2.x."""
    return _wait_for(environments.mcp2)


@pytest.fixture(scope="session")
def everything(environments: Environments) -> list[str]:
    """The command of npm's server-everything."""
    return _wait_for(environments.everything)
