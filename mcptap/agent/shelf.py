"""Which recordings an agent may see, and by which names: `NAME#N`, `NAME`, `latest~N`; never a path.

`weather#3` is the third recording of `weather`, counted from the oldest, so that a name that was told stays
true while new ones come. What is shown by default is what the client itself started, and what was started
below the folder in which it works: sessions of other projects are private.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase
from functools import lru_cache
from time import time

from mcptap.agent.arguments import ToolError, said
from mcptap.agent.own_client import OwnClient, is_this_server, own_client, own_tap
from mcptap.agent.settings import Settings
from mcptap.recording import made_here
from mcptap.recording.format.model import Header
from mcptap.recording.library import LATEST, header_of, search
from mcptap.recording.paths import SUFFIX, clean_name, default_folders, home_of
from mcptap.recording.retention import parse_age

MOST_LOOKED_AT = 2_000
"""Of so many recordings, the newest ones, it is looked at whose they are."""

_NAMED = 8
"""So many choices are told to who asked for what is not there."""

_STAMP = re.compile(r"(?:(.+)-)?\d{8}T\d{6}\.\d{6}Z-\d+(?:\.\d+)?")
_LATEST = re.compile(rf"{LATEST}(?:~(\d{{1,6}}))?")


@dataclass(frozen=True, slots=True)
class Known:
    """A recording that may be shown."""

    path: str
    name: str
    header: Header
    is_siblings: bool
    """Whether the client that asks started this server, too."""

    @property
    def size(self) -> int:
        """Bytes of the file, now; at least 1."""
        try:
            return max(1, os.stat(self.path).st_size)
        except OSError:
            return 1


class Shelf:
    """The recordings in the folders that this server reads, looked for at each question."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._since_us = moment(settings.since) if settings.since else 0
        self._folders = [os.path.abspath(settings.folder)] if settings.folder else None
        self._headers: dict[str, Header | None] = {}
        self._client: OwnClient | None = None
        self._own = ""
        """The recording of this very session, if this server is behind a tap."""
        try:
            self._here = os.getcwd()
        except OSError:  # it was deleted
            self._here = ""
        self._no_project = self._here in (os.path.abspath(os.sep), home_of(os.environ))
        """Whether the client works in no project's folder: all projects lie below such a one."""
        self.hidden = 0
        """How many recordings were left out when it was last looked: started elsewhere."""

    def scope(self) -> str:
        """What is shown, in a sentence for the model."""
        if self._settings.everything:
            return "Scope: all sessions, whatever folder they were started in."
        more = f"; {self.hidden:,} others are hidden (mcptap mcp --all)" if self.hidden else ""
        return f"Scope: sessions of this client, and those started below its working directory{more}."

    def sessions(self) -> list[Known]:
        """All that may be shown, newest first; this server's own sessions are left out."""
        return [known for known in self._in_scope() if not self._is_own(known)]

    def find(self, target: str) -> Known:
        """The recording that a model means. Raises ToolError with those that there are."""
        latest = _LATEST.fullmatch(target)
        if latest is not None:
            found = self.sessions()
            index = int(latest[1] or 0)
            if index >= len(found):
                raise ToolError(f"there is no {target}; {self._choices(found)}")
            return found[index]
        names = self._names()
        called = [path for path, name in names.items() if target in (name, name.partition("#")[0])]
        for known in self._of(names, called):
            return known
        shown = self.sessions()
        why = self._why_hidden(target, called) or f"there is no session {said(target)}"
        raise ToolError(f"{why}; {self._choices(shown)}")

    def _why_hidden(self, target: str, paths: list[str]) -> str:
        """Why none of these recordings, which are so called, is shown; empty if that is to stay unsaid."""
        headers = [header for path in paths if (header := self._header(path)) is not None]
        if any(self._is_wanted(target, header) and not header.probe for header in headers):
            return (
                f"{target} was started elsewhere than in this client's working directory, so it is hidden "
                "unless the user starts mcptap mcp with --all"
            )
        if any(self._is_wanted(target, header) for header in headers):
            return f"{target} is a session of mcptap probe, which the user can look at with mcptap check"
        return ""

    def _choices(self, found: list[Known]) -> str:
        servers = list(dict.fromkeys(known.name.partition("#")[0] for known in found))
        if not servers:
            return "none is recorded here" + (
                f", {self.hidden:,} elsewhere are hidden" if self.hidden else ""
            )
        more = f" and {len(servers) - _NAMED} more" if len(servers) > _NAMED else ""
        return f"there are {', '.join(servers[:_NAMED])}{more}"

    def _in_scope(self) -> Iterator[Known]:
        names = self._names()
        return self._of(names, list(names)[:MOST_LOOKED_AT])

    def _of(self, names: dict[str, str], paths: list[str]) -> Iterator[Known]:
        """Those of these recordings that may be shown."""
        self.hidden = 0
        found = [(path, header) for path in paths if (header := self._header(path)) is not None]
        if self._client is None:
            newest = list(names)[:MOST_LOOKED_AT]
            headers = ((path, header) for path in newest if (header := self._header(path)) is not None)
            own = next(((path, header) for path, header in headers if own_tap(path, header)), None)
            self._own, tap = own or ("", None)
            self._client = own_client(tap)
        for path, header in found:
            if header.probe or not self._is_wanted(names[path], header):
                continue
            is_siblings = self._client.started(path, header)
            if is_siblings or self._settings.everything or self._is_here(header.cwd):
                yield Known(path, names[path], header, is_siblings)
            else:
                self.hidden += 1

    def _is_own(self, known: Known) -> bool:
        return known.path == self._own or is_this_server(known.header)

    def _is_wanted(self, name: str, header: Header) -> bool:
        server = name.partition("#")[0]
        wanted = self._settings.server
        return header.start_wall_us >= self._since_us and (not wanted or is_called(server, wanted))

    def _is_here(self, cwd: str) -> bool:
        here = self._here
        if not here or not cwd:
            return False
        return cwd == here or (not self._no_project and cwd.startswith(here + os.sep))

    def _names(self) -> dict[str, str]:
        """All recordings, newest first, each with its name."""
        folders = self._folders if self._folders is not None else default_folders(os.environ)
        tops = [os.path.realpath(folder) + os.sep for folder in folders]
        # A link may lead to any file of the user's: what it leads to has to lie here as well.
        paths = [
            path
            for path in search(self._folders).paths
            if any(os.path.realpath(path).startswith(top) for top in tops)
        ]
        counts: Counter[str] = Counter()
        names = {}
        for path in reversed(paths):
            server = _server(path)
            counts[server] += 1
            names[path] = f"{server}#{counts[server]}"
        return {path: names[path] for path in paths}

    def _header(self, path: str) -> Header | None:
        """The header of a recording, which never changes once it is there."""
        header = self._headers.get(path)
        if header is None:
            header = self._headers[path] = header_of(path)
        return header


def _server(path: str) -> str:
    """The server's name by the place of its recording, as far as it fits into a name of ours."""
    stem = os.path.basename(path).removesuffix(SUFFIX)
    found = _STAMP.fullmatch(stem)
    return _shown(stem if found is None else found[1] or os.path.basename(os.path.dirname(path)))


@lru_cache(maxsize=MOST_LOOKED_AT)
def _shown(server: str) -> str:
    """A name without a secret: some people call a server by its key."""
    return clean_name(made_here.masker().text(server))


def is_called(server: str, wanted: str) -> bool:
    """Whether a server's name has this in it, or fits this pattern, as `mcptap ls NAME` has it."""
    server, wanted = server.casefold(), wanted.casefold()
    return fnmatchcase(server, wanted) if "*" in wanted or "?" in wanted else wanted in server


def moment(since: str) -> int:
    """A time of day (µs since 1970) out of an age or a date. Raises ToolError."""
    try:
        return round((time() - parse_age(since)) * 1_000_000)
    except ValueError:
        pass
    try:
        return round(datetime.fromisoformat(since).timestamp() * 1_000_000)
    except (ValueError, OverflowError, OSError):
        raise ToolError(f"since can't be {said(since)}; say 2h, 3d or a date such as 2026-11-29") from None
