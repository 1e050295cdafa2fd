"""Where a client's configuration lies and how it is to be read: files, syntax, keys, entries, variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum

from mcptap.clients.facts import UNKNOWN, Fact
from mcptap.text.enumeration import listed


class Syntax(Enum):
    """The language of a configuration file."""

    JSON = "JSON without comments"
    JSON_COMMENTS = "JSON with comments, without trailing commas"
    JSONC = "JSON with comments and trailing commas"
    TOML = "TOML"
    YAML = "YAML"

    @property
    def comments(self) -> bool:
        """Whether a comment may stand in it."""
        return self is not Syntax.JSON

    @property
    def trailing_commas(self) -> bool:
        """Whether a comma may stand behind the last value."""
        return self not in (Syntax.JSON, Syntax.JSON_COMMENTS)

    @property
    def is_json(self) -> bool:
        """Whether it is JSON of some kind."""
        return self not in (Syntax.TOML, Syntax.YAML)


class Transport(StrEnum):
    """How a client reaches the server of an entry."""

    STDIO = "stdio"
    HTTP = "http"
    SSE = "sse"
    REMOTE = "remote"
    """By a URL; over which of the two is not said."""
    BUILTIN = "builtin"
    """The client has it in itself."""
    EXTENSION = "extension"
    """An extension of the client brings it."""
    UNKNOWN = "unknown"
    """The entry does not say, or says two things."""

    @property
    def is_remote(self) -> bool:
        """Whether it is reached by a URL."""
        return self in (Transport.HTTP, Transport.SSE, Transport.REMOTE)


class Parents(Enum):
    """In which folders besides the start folder a project's file counts. The nearest wins."""

    NONE = "no other"
    ALL = "every parent folder except the root"
    REPOSITORY = "every parent folder up to the root of the repository"
    TOP = "every parent folder up to the root of the repository, or of the disk where there is none"


@dataclass(frozen=True, slots=True)
class Moved:
    """A variable of the environment that says where the file lies: at `{value}/rest`, or at its value.

    `on` names the one `sys.platform` where it does; empty: on all.
    """

    variable: str
    rest: str = ""
    on: str = ""


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file that holds server entries. `path` holds where `macos` and `windows` do not differ.

    A path that begins with neither `~`, `%` nor a root lies in the project; a `*` stands for any name. A
    file without a path is not there on that system.
    """

    scope: str
    path: str
    macos: str = ""
    windows: str = ""
    at: tuple[str, ...] = ()
    """The keys of the entries in this file, where they are others than elsewhere (`servers_at`)."""
    parents: Parents = Parents.NONE
    farthest_wins: bool = False
    """Whether of these folders the farthest wins."""
    also: str = ""
    """Another name that counts in the same folder; it wins there."""
    moved: tuple[Moved, ...] = ()
    borrowed: bool = False
    """Whether it is the file of another client, which this one reads too."""
    older: bool = False
    """Whether it is where older versions had it."""
    not_for: tuple[str, ...] = ()
    """Ids of clients that share the configuration, but do not look here."""
    syntax: Syntax | None = None
    """Its syntax, where it is another than that of the client's other files."""

    @property
    def places(self) -> set[str]:
        """Its paths on all systems."""
        return {self.path, self.macos, self.windows} - {""}

    def on(self, platform: str) -> str:
        """The path on a `sys.platform`; empty if it has none there."""
        if platform == "win32":
            return self.windows or self.path
        return (self.macos if platform == "darwin" else "") or self.path

    @property
    def shared(self) -> bool:
        """Whether it lies in a project, where others share it."""
        path = self.path or self.windows
        return not path.startswith(("~", "/", "%")) and path[1:2] != ":"


class Unset(Enum):
    """What becomes of a variable without a value."""

    TEXT = "stays as text"
    EMPTY = "becomes empty"
    ASKED = "is asked for"


@dataclass(frozen=True, slots=True)
class Variables:
    """The forms of variables that are expanded in an entry (none: nothing is), and those that are not."""

    forms: tuple[str, ...]
    never: tuple[str, ...] = ()
    unset: Unset | None = None
    unset_in_env: Unset | None = None
    """The same in `env`, where that differs."""
    places: tuple[str, ...] = ()
    """The members of an entry in which they are expanded; none: in every string."""

    @property
    def words(self) -> str:
        """A phrase that follows the client's name."""
        if not self.forms:
            return "expands nothing"
        never = f", never {' or '.join(self.never)}" if self.never else ""
        unset = f"; what is unset {self.unset.value}" if self.unset else ""
        return f"expands {listed(self.forms)}{never}{unset}"


REMOTE_TYPES: Mapping[str, Transport] = {
    "http": Transport.HTTP,
    "streamable-http": Transport.HTTP,
    "streamable_http": Transport.HTTP,
    "streamableHttp": Transport.HTTP,
    "sse": Transport.SSE,
    "ws": Transport.REMOTE,
    "remote": Transport.REMOTE,
}
"""How the `type` of an entry calls what is reached by a URL, over all clients: none of it is stdio."""


@dataclass(frozen=True, slots=True)
class EntryForm:
    """How the entry of a server is built, and what tells a stdio server from others.

    Whether program and arguments are one array says `Arguments.array` of the client.
    """

    command: str = "command"
    args: str = "args"
    env: str = "env"
    has_type: bool = True
    """Whether a member `type` says something."""
    stdio_types: tuple[str, ...] = ("stdio",)
    """Values of `type` that mean stdio."""
    needs_type: bool = False
    """Whether an entry without `type` is none that can be used."""
    remote_types: tuple[str, ...] = ("http", "sse")
    """Values of `type` that mean a server behind a URL."""
    needs_args: bool = False
    """Whether an entry without arguments, be they none, is none that can be read."""
    builtin_types: tuple[str, ...] = ()
    """Values of `type` for what the client has in itself."""
    url: Mapping[str, Transport] = field(default_factory=lambda: {"url": Transport.REMOTE})
    """Members that hold the URL of a remote server, and what it is without a `type`."""
    nested: str = ""
    """A member that may hold command, args, env and type in place of the entry itself."""
    program: str = ""
    """The program's member in an older form in which `command` is an object with args and env."""
    bare: Transport = Transport.UNKNOWN
    """What an entry is that has neither a command nor a URL."""
    disabled: str = ""
    """The member that switches an entry off by `true`."""
    enabled: str = ""
    """The member that switches it off by `false`."""
    named_list: bool = False
    """Whether the servers are a list, each entry with its `name`, not an object by name."""
    excluded_at: str = ""
    """Where in the file the names of servers stand that are switched off; a dot goes one level down."""
    settings: tuple[str, ...] = ()
    """Members beside the entries that are settings, unless they are objects."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """Where the entries of servers stand, and how they are read."""

    files: Fact[tuple[ConfigFile, ...]] = UNKNOWN
    """Those that win come last, where `later_wins` says so."""
    later_wins: Fact[bool] = UNKNOWN
    """Whether of two servers of one name that in the later, or nearer, file is the one that is used."""
    syntax: Fact[Syntax] = UNKNOWN
    servers_at: Fact[tuple[str, ...]] = UNKNOWN
    """The keys under which the entries stand; a dot goes one level down, `*` is any key, and a key that
    has a dot in it stands in double quotes. Of several the first that is there counts.
    """
    entry: Fact[tuple[str, ...]] = UNKNOWN
    """The keys of an entry of a stdio server."""
    form: Fact[EntryForm] = UNKNOWN
    variables: Fact[Variables] = UNKNOWN
    after_change: Fact[str] = UNKNOWN
    """What the user does so that a changed entry is used: a phrase behind the client's name and a colon."""

    def personal_scope_above(self, index: int) -> str:
        """The user's own scope for one project that hides this one of `files`; empty: none known."""
        later = (self.files.value or ())[index + 1 :] if self.later_wins.value else ()
        return next((file.scope for file in later if any("*" in key for key in file.at)), "")


NOWHERE = Configuration()
"""The configuration of what has none, or of which nothing is known."""
