"""How clients start stdio servers, speak to them and stop them: facts with their confidence.

Nothing here is guessed. What was not found is None with `Confidence.UNKNOWN`, and whoever
reproduces a client says so and says what was assumed instead. All facts are as of November
2026; clients change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Generic, Never, TypeVar

T_co = TypeVar("T_co", covariant=True)

STATELESS = "2026-07-28"
NEWEST_HANDSHAKE = "2025-11-25"
"""What is asked for in the name of clients of which the revision is not known."""


class Confidence(Enum):
    """How a fact is known."""

    VERIFIED = "seen by running that version"
    HIGH = "from its source or its documentation"
    MEDIUM = "second-hand, or from an older source"
    LOW = "a single hint"
    UNKNOWN = "not known"


@dataclass(frozen=True, slots=True)
class Fact(Generic[T_co]):
    """A value, how it is known, from where, and what the value alone does not say."""

    value: T_co | None
    confidence: Confidence
    source: str = ""
    note: str = ""

    @property
    def known(self) -> bool:
        """Whether there is anything to go by."""
        return self.value is not None


UNKNOWN: Fact[Never] = Fact(None, Confidence.UNKNOWN)


class Folder(Enum):
    """Where a server starts, if its entry does not say."""

    START = "the folder the client was started in"
    WORKSPACE = "the workspace folder"
    HOME = "the home folder"
    ROOT = "/"


class Stray(Enum):
    """What a line on stdout that is not JSON does."""

    IGNORED = "skipped, noted in a log at most"
    REPORTED = "shown as an error; the session goes on"
    DISCONNECTS = "shown as an error, and the server is marked as disconnected"
    DISCONNECTS_LATER = "skipped until connected; then an error, and marked as disconnected"
    KILLS = "the server is killed"


class Sdk(Enum):
    """The library that reads what the server writes."""

    TYPESCRIPT_1 = "TypeScript SDK 1.x"
    TYPESCRIPT_2 = "TypeScript SDK 2.x"
    PYTHON_1 = "Python SDK 1.x"
    PYTHON_2 = "Python SDK 2.x"
    RUST = "Rust SDK (rmcp)"


@dataclass(frozen=True, slots=True)
class Environment:
    """What of the client's environment a server gets, besides the `env` of its entry.

    `only` names the variables that pass (None: all); `without` are pieces of names that
    are held back; `adds` are set by the client (`{cwd}` stands for the working directory).
    """

    only: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    adds: Mapping[str, str] | None = None

    def of(self, environ: Mapping[str, str], cwd: str) -> dict[str, str]:
        """The environment that a server gets from a client which has `environ`."""
        kept = {
            name: value
            for name, value in environ.items()
            if (self.only is None or name in self.only)
            and not any(piece in name.upper() for piece in self.without)
        }
        added = {name: value.replace("{cwd}", cwd) for name, value in (self.adds or {}).items()}
        return {**kept, **added}


@dataclass(frozen=True, slots=True)
class Opening:
    """The first messages: whether `server/discover` comes first, and the revision of `initialize`."""

    handshake: str
    discovers: bool = False
    discover_wait_s: float = 0
    discover_id: str | int = 0
    sibling: bool = False
    """Whether `server/discover` goes to a process of its own, started for nothing else."""


@dataclass(frozen=True, slots=True)
class StopAction:
    """A step of stopping: `close` (stdin) or a signal's name, then a wait in seconds.

    A signal goes to the server's process group, or to the started process alone.
    """

    action: str
    wait_s: float
    group: bool = False


Stop = tuple[StopAction, ...]


@dataclass(frozen=True, slots=True)
class Client:
    """One client. Times in seconds, sizes in bytes."""

    id: str
    name: str
    version: str = ""
    cwd: Fact[Folder] = UNKNOWN
    environment: Fact[Environment] = UNKNOWN
    opening: Fact[Opening] = UNKNOWN
    start_limit_s: Fact[float] = UNKNOWN
    stop: Fact[Stop] = UNKNOWN
    stray: Fact[Stray] = UNKNOWN
    longest_line: Fact[int] = UNKNOWN
    sdk: Fact[Sdk] = UNKNOWN
