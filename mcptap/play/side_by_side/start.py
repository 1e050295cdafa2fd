"""A server that is to be started, by the user or as a client of theirs would."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mcptap.clients.client import Client
from mcptap.play.probe.client_launch import launch_as_client
from mcptap.play.probe.client_report import ClientReport
from mcptap.play.server.launch import Launch


@dataclass(frozen=True, slots=True)
class Start:
    """How a server is to be started. The folder of `base` is the user's, or where the client was started."""

    base: Launch
    entry: Mapping[str, str] = field(default_factory=dict)
    """The variables that the server's entry sets."""
    entry_cwd: str = ""
    """The folder that it names; empty if it names none."""
    remarks: Sequence[str] = ()
    """What else is to be told of the entry."""

    @property
    def own(self) -> Launch:
        """How the user starts it: with the entry's variables, in the folder where the user is."""
        folder = os.path.abspath(self.base.cwd or os.getcwd())
        return replace(self.base, cwd=folder, env={**self.base.environment, **self.entry})

    @property
    def home(self) -> Launch:
        """The same as in the user's own terminal: there their own values come before the entry's."""
        own = self.own
        return replace(own, env={**own.environment, **self.base.environment})

    def by(self, client: Client) -> tuple[Launch, ClientReport]:
        """How the client starts it, and a report on that, begun."""
        launch, report = launch_as_client(client, self.base, self.entry, self.entry_cwd)
        report.remarks += self.remarks
        return launch, report
