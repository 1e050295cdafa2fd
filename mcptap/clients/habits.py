"""What a client demands of the entries in its configuration, and does with it besides reading it.

Words are phrases that follow the client's name. A field that is `UNKNOWN` was not found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcptap.clients.facts import UNKNOWN, Fact, Origin, Source


@dataclass(frozen=True, slots=True)
class NameForm:
    """The form that names of servers need: a regular expression for the whole of one, and words for it."""

    pattern: str
    words: str


@dataclass(frozen=True, slots=True)
class TimeoutKey:
    """A key of an entry that sets a time limit, and its unit in seconds.

    A value below `least` (in that unit) is not taken.
    """

    key: str
    unit_s: float
    starts: bool = False
    """Whether it limits the start, and not the calls alone."""
    least: float = 0


@dataclass(frozen=True, slots=True)
class OwnLog:
    """Where a client writes what happens with its servers: a path, or the place in its window.

    `macos` and `windows` are given where they differ; `?` where they are not known.
    """

    place: str
    macos: str = ""
    windows: str = ""

    def on(self, platform: str) -> str:
        """The place on a `sys.platform`; empty if it is not known."""
        place = {"darwin": self.macos, "win32": self.windows}.get(platform) or self.place
        return "" if place == "?" else place


PUBLIC_LOGS = Source(
    Origin.OTHERS, "logs that users put on public pages, and where they say they found them", "November 2026"
)


@dataclass(frozen=True, slots=True)
class LogFile:
    """Files with a log of servers. `*` in a path is any name, `**` any folders.

    `path` holds where `macos` and `windows` do not differ; `?` is unknown. A `variable` of the environment
    names the file instead where it is set.
    """

    path: str
    macos: str = ""
    windows: str = ""
    variable: str = ""

    def on(self, platform: str) -> str:
        """The path on a `sys.platform`; empty if it is not known."""
        place = {"darwin": self.macos, "win32": self.windows}.get(platform) or self.path
        return "" if place == "?" else place


@dataclass(frozen=True, slots=True)
class Habits:
    """What is known of a client's ways with its configuration."""

    unreadable: Fact[str] = UNKNOWN
    """With a file that it can't read."""
    bad_entry: Fact[str] = UNKNOWN
    """With an entry that has the wrong shape."""
    empty_file: Fact[str] = UNKNOWN
    """With a file of no bytes."""
    duplicate: Fact[str] = UNKNOWN
    """With a name that stands twice in a file."""
    other_key: Fact[str] = UNKNOWN
    """With a file in which the servers stand under another key than its own."""
    url_without_type: Fact[str] = UNKNOWN
    """With a URL in an entry that has no `type`."""
    names: Fact[NameForm] = UNKNOWN
    """What names of servers it takes, or takes without harm."""
    timeouts: Fact[tuple[TimeoutKey, ...]] = UNKNOWN
    env_takes: Fact[tuple[str, ...]] = UNKNOWN
    """The kinds of values that `env` may have: `string`, `number`, `boolean`, `null`."""
    dropped_variables: Fact[tuple[str, ...]] = UNKNOWN
    """Names of variables in an entry that it does not hand on."""
    appends_path: Fact[bool] = UNKNOWN
    """Whether a `PATH` in an entry is put behind its own and does not replace it."""
    server_variables: Fact[tuple[str, ...]] = UNKNOWN
    """Variables that it sets for servers, and does not have itself when it expands an entry."""
    old_keys: Fact[Mapping[str, str]] = UNKNOWN
    """Older spellings of keys of an entry, with the newer ones."""
    ignored_keys: Fact[Mapping[str, str]] = UNKNOWN
    """Keys of other clients that it does not use, without a word, with its own; empty: it has none."""
    old_places: Fact[tuple[str, ...]] = UNKNOWN
    """Keys, as in `servers_at`, under which only older versions look."""
    newer_settings: Fact[tuple[str, ...]] = UNKNOWN
    """Settings of newer versions, as in `servers_at`; the note says what this version does, as a phrase."""
    tool_prefix: Fact[str] = UNKNOWN
    """What it puts before the names of tools; `{server}` stands for the server's name."""
    starts_batch: Fact[bool] = UNKNOWN
    """Whether it finds and starts `.cmd` and `.bat` files on Windows."""
    rewrites: Fact[str] = UNKNOWN
    """What its own commands lose or write when they change the file, as a sentence without its full stop."""
    rewritten_often: Fact[str] = UNKNOWN
    """Which file it writes anew while it runs: its name."""
    log_files: Fact[tuple[LogFile, ...]] = UNKNOWN
    """The files in which it logs what happens with its servers."""
    log: Fact[OwnLog] = UNKNOWN
    approval: Fact[str] = UNKNOWN
    """What has to be agreed to before a project's servers are started: a sentence without its full stop."""
    lists_unasked: Fact[bool] = UNKNOWN
    """Whether it asks for the lists of prompts and resources whatever the server declares."""
    null_params: Fact[bool] = UNKNOWN
    """Whether it sends `"params": null` with notifications that have none."""
    imports: Fact[Mapping[str, str]] = UNKNOWN
    """Settings beside the servers, with what they bring in from elsewhere."""


NONE_KNOWN = Habits()
"""The habits of a client of which none is known."""
