"""A client of MCP, or a library that clients are built on, as one record of facts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from mcptap.clients.configuration import NOWHERE, Configuration
from mcptap.clients.facts import UNKNOWN, Fact, Source
from mcptap.clients.faults import Fault
from mcptap.clients.habits import NONE_KNOWN, Habits
from mcptap.clients.outcomes import Outcome
from mcptap.text.enumeration import listed


class Folder(Enum):
    """Where a server starts, if its entry does not say: words about the client as `it`."""

    START = "the folder it was started in"
    WORKSPACE = "the workspace folder"
    HOME = "the home folder"
    ROOT = "/"


@dataclass(frozen=True, slots=True)
class WorkingDirectory:
    """Where a server starts, and whether it uses a `cwd` of its entry (None: not known)."""

    folder: Folder
    uses_entry: bool | None = None

    @property
    def condition(self) -> str:
        """What a `cwd` in the entry changes, behind the folder: `, unless …`; empty if it is not known."""
        if self.uses_entry is None:
            return ""
        return ", unless the entry has a cwd" if self.uses_entry else ", whatever cwd the entry has"

    @property
    def words(self) -> str:
        """A phrase that follows the client's name."""
        if self.uses_entry:
            return f"starts servers in the entry's cwd, else in {self.folder.value}"
        ignored = ", and ignores cwd" if self.uses_entry is False else ""
        return f"starts servers in {self.folder.value}{ignored}"


@dataclass(frozen=True, slots=True)
class Arguments:
    """How command and arguments of an entry are treated (None: not known)."""

    shell: bool | None = None
    """Whether a shell runs them."""
    expands_tilde: bool | None = None
    array: bool = False
    """Whether program and arguments are one array."""


NAMED_VARIABLES = 6
"""So many names of variables are told one by one."""


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

    @property
    def words(self) -> str:
        """A phrase that follows the client's name."""
        if self.without:
            names = ", ".join(self.without)
            return f"leaves out variables with {names} in their names unless they stand in the entry's env"
        if self.only is None:
            return "hands over everything and the entry's env"
        few = len(self.only) <= NAMED_VARIABLES
        passed = ", ".join(self.only) if few else f"{len(self.only)} variables"
        return f"hands over {passed} and the entry's env"


@dataclass(frozen=True, slots=True)
class Opening:
    """The first messages: whether `server/discover` comes first, and the revision of `initialize`."""

    handshake: str
    discovers: bool = False
    discovers_if: str = ""
    """The setting without which it does not discover; empty: none."""
    discover_wait_s: float = 0
    discover_id: str | int = 0
    sibling: bool = False
    """Whether `server/discover` goes to a process of its own, started for nothing else."""
    capabilities: Mapping[str, Any] | None = None
    """What the client declares (None: not known)."""
    takes: tuple[str, ...] | None = None
    """The revisions that it takes in the answer to `initialize` (None: not known)."""
    asks_again: bool = False
    """Whether, once `server/discover` came to nothing in time and `initialize` is refused, it sends
    `server/discover` once more, and then `initialize` alone to a process that is started anew."""


class Since(Enum):
    """When the clock of a start limit begins."""

    SPAWN = "the start of the process"
    REQUEST = "the opening request"


class Until(Enum):
    """What stops the clock of a start limit."""

    OPENED = "the answer to initialize"
    LISTED = "the tool list"


@dataclass(frozen=True, slots=True)
class StartLimit:
    """How long a server may take to start, in seconds (infinite: no limit), and what is counted."""

    seconds: float
    since: Since
    until: Until = Until.OPENED
    setting: str = ""
    """What changes it."""
    older_s: float | None = None
    """What it was in older versions."""

    @property
    def words(self) -> str:
        """A phrase that follows the client's name."""
        if self.seconds == math.inf:
            return NO_LIMIT
        aside = [self.setting] if self.setting else []
        if self.older_s is not None:
            aside.append(f"older versions: {span(self.older_s)}")
        return f"gives up after {span(self.seconds)}" + (f" ({'; '.join(aside)})" if aside else "")


@dataclass(frozen=True, slots=True)
class RequestLimit:
    """How long a request may take, in seconds (infinite: no limit)."""

    seconds: float
    without_progress_s: float | None = None
    """The limit if no progress is reported."""
    background_s: float | None = None
    """After which the user may go on with other things."""
    older_s: float | None = None

    @property
    def words(self) -> str:
        """A phrase that follows the client's name."""
        if self.seconds == math.inf:
            return NO_LIMIT
        words = f"gives up after {span(self.seconds)}"
        if self.without_progress_s is not None:
            words += f" ({span(self.without_progress_s)} without progress)"
        if self.older_s is not None:
            words += f" (older versions: {span(self.older_s)})"
        if self.background_s is not None:
            words += f", in the background after {span(self.background_s)}"
        return words


NO_LIMIT = "waits for ever unless a limit was set"


def span(seconds: float) -> str:
    """A time limit for people: `100 ms`, `60 s`, `10 minutes`, `28 hours`."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds <= 300 and seconds != 120:
        return f"{seconds:g} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:.0f} hours"


CLOSE = "close"
"""The action of a step that closes the server's stdin."""


@dataclass(frozen=True, slots=True)
class StopStep:
    """A step of stopping: `CLOSE` or a signal's name, then up to `wait_s` for the server's end.

    A signal goes to the started process alone, or with `group` to its whole process group.
    """

    action: str
    wait_s: float
    group: bool = False


Stop = tuple[StopStep, ...]
"""The steps of stopping a server, in order. Who is still there after the last is killed."""


def stop_words(stop: Stop) -> str:
    """How a server is stopped: a phrase that follows the client's name."""
    if stop[0].action == "SIGKILL":
        return "kills it at once"
    if [step.action for step in stop] == [CLOSE]:
        return f"kills it after {span(stop[0].wait_s)}"
    sent: list[str] = []
    waited_s = 0.0
    for step in (*stop, StopStep("SIGKILL", 0)):
        if step.action != CLOSE:
            more = " more" if any(" after " in one for one in sent) else ""
            after = f" after {span(waited_s)}{more}" if waited_s else " at once"
            sent.append(step.action + after)
        waited_s = step.wait_s
    if stop[-1].wait_s == 0:
        del sent[-1]
    return f"sends {listed(sent)}"


@dataclass(frozen=True, slots=True)
class ResultLimit:
    """Above how many tokens a result is cut, and what changes that."""

    tokens: int
    setting: str = ""

    @property
    def words(self) -> str:
        """A phrase that follows the client's name."""
        setting = f" ({self.setting})" if self.setting else ""
        return f"cuts results above {self.tokens:,} tokens{setting}"


@dataclass(frozen=True, slots=True)
class NameLimit:
    """How many characters a tool's name may have, and whether longer ones are cut or refused."""

    characters: int
    cut: bool

    @property
    def words(self) -> str:
        """A phrase that follows the client's name."""
        does = "cuts names above" if self.cut else "takes names up to"
        return f"{does} {self.characters} characters"


@dataclass(frozen=True, slots=True)
class Interpreter:
    """What runs programs of a language: its name, and a regular expression for the names of its processes."""

    name: str
    processes: str


@dataclass(frozen=True, slots=True)
class Client:
    """One client, or a library that clients are built on. Times in seconds, sizes in bytes."""

    id: str
    """In kebab case: the name for `probe --as`, in recordings of it, and in reports for machines."""
    name: str
    version: str = ""
    """The version that the facts are about, where they are about one."""
    is_library: bool = False
    names: str = ""
    """A regular expression for `clientInfo.name` and for the name of its process; empty: not known."""
    names_version: str = ""
    """A regular expression for `clientInfo.version`, where the name alone is not enough."""
    interpreter: Interpreter | None = None
    """Of a library: what runs the programs that use it."""
    libraries: Fact[tuple[str, ...]] = UNKNOWN
    """The ids of the libraries that it is built on; several if it is one of them."""
    cwd: Fact[WorkingDirectory] = UNKNOWN
    arguments: Fact[Arguments] = UNKNOWN
    environment: Fact[Environment] = UNKNOWN
    opening: Fact[Opening] = UNKNOWN
    start_limit: Fact[StartLimit] = UNKNOWN
    request_limit: Fact[RequestLimit] = UNKNOWN
    stop: Fact[Stop] = UNKNOWN
    stops_descendants: Fact[bool] = UNKNOWN
    """Whether its signals go to each process below the one that it started as well."""
    longest_line: Fact[int] = UNKNOWN
    largest_result: Fact[ResultLimit] = UNKNOWN
    tool_names: Fact[NameLimit] = UNKNOWN
    configuration: Configuration = NOWHERE
    habits: Habits = NONE_KNOWN
    reactions: Mapping[Fault, Fact[Outcome]] = field(default_factory=dict)
    """What it does about faults that no other field speaks of."""

    @property
    def label(self) -> str:
        """Its name, with the version where a library's versions differ in what they do."""
        return f"{self.name} {self.version}" if self.is_library and self.version else self.name

    @property
    def description(self) -> str:
        """What somebody plays who plays it: `Codex 0.171.0`, `a client built on the Python SDK 2.3.0`."""
        named = f"{self.name} {self.version}".rstrip()
        return f"a client built on the {named}" if self.is_library else named


def outcomes(source: Source, by_fault: Mapping[Fault, Outcome]) -> dict[Fault, Fact[Outcome]]:
    """Reactions that are all known from one source."""
    return {fault: Fact(outcome, source) for fault, outcome in by_fault.items()}
