"""`mcptap.lock` as text: a line for each thing that was approved, which says of itself what it is of.

Lines are sorted, and blank ones stand between them: so two people who approve different things change places
that git takes for different, and what it merges is a lock again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from mcptap.errors import UserError
from mcptap.jsontext.bounded import parse as parse_json
from mcptap.protocol.contract.items import INSTRUCTIONS, METHODS
from mcptap.protocol.contract.lock import Lock, LockedItem, LockedServer, locked
from mcptap.text.escape import visible_json

FORMAT: Final = 1
MOST_BYTES = 64 << 20
HEAD: Final = {
    "mcptap-lock": FORMAT,
    "note": "What each server offered when somebody approved it with mcptap lock. First sight is trusted: "
    "nobody but you can say that what was locked first is good. mcptap check --lock and mcptap probe --lock "
    "say what differs; mcptap lock --update approves it.",
}
"""The first line."""

_KINDS = (INSTRUCTIONS, *METHODS)
_CONFLICT = (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")


def read_lock(path: str) -> Lock:
    """The lock in a file. Raises UserError."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > MOST_BYTES:
        raise UserError(f"{path}: is no lock: it is larger than {MOST_BYTES >> 20} MB")
    return Lock(os.path.basename(path), parse_lock(data, path))


def parse_lock(data: bytes, place: str) -> dict[str, LockedServer]:
    """The servers of a lock by name; `place` names the file. Raises UserError, which names the line."""
    servers: dict[str, LockedServer] = {}
    items: dict[str, dict[tuple[str, str], LockedItem]] = {}
    has_head = False
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        where = f"{place}, line {number}"
        members = _object(line, where)
        if "mcptap-lock" in members:
            _require_format(members["mcptap-lock"], where)
            has_head = True
            continue
        if not has_head:
            raise UserError(f'{where}: is no mcptap.lock: its first line has to begin with {{"mcptap-lock":')
        name = _text(members, "server", where)
        kind = next((one for one in _KINDS if one in members), None)
        if kind is None:
            server = _server(name, members, where, number)
            _require_new(servers.get(name), server, f"server {name}", where)
            servers[name] = server
        else:
            item = _item(kind, members, where, number)
            of_server = items.setdefault(name, {})
            _require_new(
                of_server.get(item.key), item, f"{kind} {item.name} of {name}".replace("  ", " "), where
            )
            of_server[item.key] = item
    if not has_head:
        raise UserError(f"{place}: is no mcptap.lock: it is empty")
    for name, some in items.items():
        if name not in servers:
            first = min(item.line for item in some.values())
            raise UserError(
                f"{place}, line {first}: the server {name} has no line of its own; restore the file"
            )
        servers[name] = replace(servers[name], items=some)
    return servers


def lock_text(servers: Iterable[LockedServer]) -> str:
    """The text of a lock with these servers."""
    lines = [HEAD]
    for server in sorted(servers, key=lambda one: one.name):
        lines.append(_server_members(server))
        lines += [_item_members(server.name, item) for item in _in_order(server.items.values())]
    return "\n".join(f"{_spelled(line)}\n" for line in lines)


def _in_order(items: Iterable[LockedItem]) -> list[LockedItem]:
    return sorted(items, key=lambda item: (_KINDS.index(item.kind), item.name))


def _spelled(members: Mapping[str, Any]) -> str:
    text = json.dumps(members, ensure_ascii=False, separators=(",", ":"))
    return visible_json(text)


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


def _server_members(server: LockedServer) -> dict[str, Any]:
    members: dict[str, Any] = {
        "server": server.name,
        "command": list(server.command),
        "name": server.info_name,
        "version": server.version,
        "revision": server.revision,
        "capabilities": list(server.capabilities),
        "declared": list(server.declared),
        "lists": list(server.lists),
    }
    return {key: value for key, value in members.items() if value or key == "declared"}


def _item_members(server: str, item: LockedItem) -> dict[str, Any]:
    members: dict[str, Any] = {
        "server": server,
        item.kind: item.name,
        "tokens": item.tokens,
        "rights": item.rights,
        "words": item.words,
        "contract": item.contract,
        "needs": list(item.needs),
        "version": item.version,
        "full": None if item.full is None else _sorted(item.full),
    }
    return {key: value for key, value in members.items() if value or key == item.kind}


# --- reading ---------------------------------------------------------------------------------


def _object(line: bytes, where: str) -> dict[str, Any]:
    if line.startswith(_CONFLICT):
        raise UserError(f"{where}: a merge left a conflict there: keep the line that was approved")
    try:
        value = parse_json(line)
    except ValueError as error:
        raise UserError(
            f"{where}: is no JSON ({error}); restore the file, or lock the servers anew"
        ) from error
    if not isinstance(value, dict):
        raise UserError(f"{where}: is no line of a lock; restore the file, or lock the servers anew")
    return value


def _require_format(version: Any, where: str) -> None:
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise UserError(f"{where}: {version!r} is no format of a lock")
    if version > FORMAT:
        raise UserError(
            f"{where}: was written by a newer mcptap (format {version}, and this one reads {FORMAT}): "
            "update mcptap"
        )


def _require_new(before: Any, now: Any, what: str, where: str) -> None:
    """The same line twice is what some merges leave; two lines that differ are two approvals."""
    if before is not None and replace(before, line=0) != replace(now, line=0):
        raise UserError(f"{where}: {what} stands in line {before.line} too, and otherwise: keep one of them")


def _server(name: str, members: Mapping[str, Any], where: str, line: int) -> LockedServer:
    return LockedServer(
        name,
        _texts(members, "command", where),
        _text(members, "name", where, ""),
        _text(members, "version", where, ""),
        _text(members, "revision", where, ""),
        _texts(members, "capabilities", where),
        _texts(members, "declared", where),
        _texts(members, "lists", where),
        {},
        line,
    )


def _item(kind: str, members: Mapping[str, Any], where: str, line: int) -> LockedItem:
    name = _text(members, kind, where)
    full = members.get("full")
    if full is not None and not isinstance(full, dict):
        raise UserError(f'{where}: "full" has to be an object')
    needs, version = _texts(members, "needs", where), _text(members, "version", where, "")
    if full is not None and "words" not in members:
        return replace(locked(kind, name, full, needs), version=version, line=line)
    tokens = members.get("tokens", 0)
    return LockedItem(
        kind,
        name,
        _text(members, "words", where),
        _text(members, "contract", where),
        _text(members, "rights", where, ""),
        tokens if isinstance(tokens, int) else 0,
        full,
        needs,
        version,
        line,
    )


def _text(members: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    value = members.get(key, default)
    if not isinstance(value, str):
        raise UserError(f'{where}: has no text "{key}"; restore the file, or lock the servers anew')
    return value


def _texts(members: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    values = members.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise UserError(f'{where}: "{key}" has to be a list of texts')
    return tuple(values)
