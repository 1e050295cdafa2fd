"""Names that stand in several scopes of one client, and which of them is used."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from mcptap.setup.doctor.check import INFO, WARNING, About, Said, check
from mcptap.setup.doctor.finding import Effect
from mcptap.setup.doctor.subject import ExaminedClient, ExaminedEntry


@check("name-in-scopes", WARNING, About.ALL, "the same name in several scopes")
def several(whole: ExaminedClient) -> Iterator[tuple[ExaminedEntry, Said]]:
    by_name: dict[str, list[ExaminedEntry]] = {}
    for one in whole.entries():
        if one.entry.counts and not one.entry.repeated:
            by_name.setdefault(one.entry.name, []).append(one)
    fact = whole.client.configuration.later_wins
    for name, same in by_name.items():
        for before, behind in combinations(sorted(same, key=lambda one: one.entry.rank), 2):
            if not _meet(before, behind):
                continue
            place = before.file.place(before.offset)
            where = f"in {behind.entry.project} " if behind.entry.project else ""
            message = (
                f"The name {name} stands in the {before.entry.scope} scope too, at {place}; "
                f"{f'{where}{whole.client.name} uses' if fact.value else 'which is used'}"
            )
            if fact.value:
                yield (
                    behind,
                    Said(
                        f"{message} this one, of the {behind.entry.scope} scope",
                        Effect("", fact),
                        level=INFO,
                        places=(place,),
                    ),
                )
            else:
                yield (
                    behind,
                    Said(
                        f"{message} is not known",
                        Effect(f"which of the two {whole.client.name} starts is not known"),
                        "Leave one of them, or give one another name",
                        places=(place,),
                    ),
                )


def _meet(before: ExaminedEntry, behind: ExaminedEntry) -> bool:
    """Whether both count in one folder; those of one place are told elsewhere."""
    if before.file.path == behind.file.path and before.entry.where[:-1] == behind.entry.where[:-1]:
        return False
    projects = {before.entry.project, behind.entry.project} - {""}
    return len(projects) < 2
