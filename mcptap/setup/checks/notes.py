"""What is worth knowing of a configuration, though nothing is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator

from mcptap.clients.configs.nodes import member
from mcptap.diagnosis.explain.launchers import stem
from mcptap.setup.doctor.check import INFO, WARNING, About, Said, check
from mcptap.setup.doctor.finding import Effect
from mcptap.setup.doctor.subject import ExaminedEntry, ExaminedFile, Found

_BRIDGES = frozenset({"mcp-remote", "supergateway", "mcp-proxy", "mcp-remote-client", "mcp-gateway"})
"""Programs that speak stdio to the client, and HTTP to the server."""


@check("disabled", INFO, About.ENTRY, "the server is switched off", if_disabled=True)
def disabled(one: ExaminedEntry) -> Iterator[Said]:
    if one.entry.disabled:
        yield Said("The server is switched off")


@check("bridge", INFO, About.SERVER, "a bridge to a remote server")
def bridge(one: ExaminedEntry) -> Iterator[Said]:
    for node, word in one.words():
        name = stem(word).partition("@")[0]
        if name in _BRIDGES:
            yield Said(
                f"{name} is a bridge to a server that a URL reaches: mcptap records this side of it",
                at=node,
            )
            return


@check("not-approved", INFO, About.FILE, "servers of a project have to be agreed to")
def approval(file: ExaminedFile) -> Iterator[Said]:
    fact = file.client.habits.approval
    if file.shared and file.entries and fact.value is not None:
        yield Said(fact.value, Effect("", fact))


@check("after-change", INFO, About.FILE, "what the client needs after a change")
def after_change(file: ExaminedFile) -> Iterator[Said]:
    fact = file.client.configuration.after_change
    if file.entries and fact.value is not None:
        yield Said(f"After a change {file.client.name} needs this: {fact.value}", Effect("", fact))


@check("own-editor", INFO, About.FILE, "what the client's own commands do to the file")
def own_editor(file: ExaminedFile) -> Iterator[Said]:
    fact = file.client.habits.rewrites
    if file.entries and fact.value is not None:
        yield Said(fact.value, Effect("", fact))


@check("own-log", INFO, About.FILE, "where the client's own log lies")
def own_log(file: ExaminedFile) -> Iterator[Said]:
    fact = file.client.habits.log
    place = fact.value.on(file.machine.platform) if fact.value is not None else ""
    if file.entries and place:
        yield Said(f"What {file.client.name} itself says of its servers: {place}", Effect("", fact))


@check("imports", INFO, About.FILE, "a setting brings in servers from elsewhere")
def imports(file: ExaminedFile) -> Iterator[Said]:
    fact = file.client.habits.imports
    for key, what in (fact.value or {}).items():
        found = member(file.root, key)
        if found is not None and found.value.value:
            yield Said(f"{key} brings in {what}: a server may be started twice", Effect("", fact), at=found)


@check("rewritten", WARNING, About.FOUND, "the client writes the file anew while it runs")
def rewritten(found: Found) -> Iterator[Said]:
    fact = found.file.client.habits.rewritten_often
    if fact.value is None or fact.value != found.file.path.name or found.file.root is None:
        return
    name = found.file.client.name
    mend = max(found.levels, default=INFO) > INFO
    yield Said(
        f"Every {name} that runs writes this file anew",
        Effect("a change by hand may be lost", fact),
        f"Mend it while no {name} runs" if mend else "",
        level=None if mend else INFO,
    )
