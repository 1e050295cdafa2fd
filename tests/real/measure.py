"""Measure what real clients do about faults of servers.

    python -m tests.real.measure [--environments FOLDER] [--install] [--keep] [CLIENT …] [--cases CASE …]

Each client that is installed in the folder (default `mcptap-tests` of the cache folder) is run offline, in
an empty home, against a server for each fault. What it does otherwise than `measured.json` says is told,
and the exit status is 1; `--keep` writes the table anew. `--install` puts all clients there first.
"""

from __future__ import annotations

import argparse
import datetime
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.real.environments import FOLDER
from tests.real.measuring.cases import CASES
from tests.real.measuring.clients import DRIVERS, measure, opening_of
from tests.real.measuring.installed import Installed, install, installed
from tests.real.measuring.table import differences, load, store


def main(arguments: list[str]) -> int:
    """Measure, compare, and keep it if asked. Returns 1 if something differs."""
    parser = argparse.ArgumentParser("tests.real.measure", description=__doc__)
    parser.add_argument("clients", nargs="*", default=[])
    parser.add_argument("--cases", nargs="*", default=list(CASES))
    parser.add_argument("--environments", type=Path, default=FOLDER)
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args(arguments)
    if options.install:
        install(options.environments)
    found = installed(options.environments)
    wanted = [found[name] for name in options.clients or DRIVERS if name in found]
    named = ", ".join(f"{client.id} {client.version}" for client in wanted)
    print("measured:", named or "nothing is installed")

    def one(client: Installed) -> list[str]:
        cases = {case: seen.as_json() for case, seen in measure(client, options.cases)}
        differ = list(differences(client.id, cases))
        if options.keep:
            table = load()
            row = table.setdefault(client.id, {"cases": {}})
            kept = row["cases"] if row.get("about", {}).get("version") == client.version else {}
            every = {**kept, **cases}
            about = {"version": client.version, "date": datetime.date.today().isoformat()}
            table[client.id] = {
                "about": {**about, "opening": opening_of(client)},
                "cases": {name: every[name] for name in CASES if name in every},
            }
            store(table)
        return [f"{client.id}: {len(cases)} cases", *differ]

    status = 0
    with ThreadPoolExecutor(1) as threads:
        for told in threads.map(one, wanted):
            print(*told, sep="\n  ", flush=True)
            status |= len(told) > 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
