"""How a known client would start a server: its folder and its environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

from mcptap.clients.client import Client, Environment, Folder
from mcptap.play.probe.client_report import ClientReport, with_source
from mcptap.play.server.launch import Launch


def launch_as_client(
    client: Client, base: Launch, entry_env: Mapping[str, str], entry_cwd: str = ""
) -> tuple[Launch, ClientReport]:
    """How the client would start this command, and the report on it, begun.

    The folder of `base` is where the client was started or its workspace, its environment that of the
    client; `entry_env` are the variables that the server's entry in the client's configuration sets,
    `entry_cwd` is the folder that it names, if it names one.
    """
    folder, environ = base.cwd, base.environment
    report = ClientReport(client)
    start = os.path.abspath(folder or os.getcwd())
    where = client.cwd.value
    uses_entry = None if where is None else where.uses_entry
    cwd = start
    if where is not None:
        cwd = {Folder.HOME: os.path.expanduser("~"), Folder.ROOT: "/"}.get(where.folder, start)
    if entry_cwd and uses_entry is not False:
        cwd = os.path.normpath(os.path.join(start, entry_cwd))
        if uses_entry is None:
            report.assumptions.append(f"whether it uses the entry's cwd is not known; {cwd} was taken")
        else:
            report.conditions.append(
                ("working directory", with_source(f"{cwd}, the entry's cwd", client.cwd))
            )
    elif where is None:
        report.assumptions.append(f"working directory: not known; {start} was taken")
    else:
        report.conditions.append(("working directory", with_source(cwd + where.condition, client.cwd)))
        if entry_cwd:
            report.remarks.append(f"{client.name} ignores the entry's cwd {entry_cwd}")
        if folder is not None and cwd != start:
            report.remarks.append(f"{client.name} would not have started it in {start}")
    environment = client.environment.value
    if environment is None:
        report.assumptions.append("environment: not known; all of yours was passed on")
        environment = Environment()
    else:
        report.conditions.append(("environment", with_source(_described(environment), client.environment)))
    env = {**environment.of(environ, cwd), **entry_env}
    return replace(base, cwd=cwd, env=env), report


def _described(environment: Environment) -> str:
    parts = [f"only {', '.join(environment.only)}" if environment.only is not None else "all of yours"]
    if environment.without:
        parts.append(f"without names that hold {', '.join(environment.without)}")
    if environment.adds:
        parts.append(f"with {', '.join(environment.adds)}")
    return ", ".join(parts)
