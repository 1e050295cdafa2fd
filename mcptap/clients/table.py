"""All clients by id: what stands in `products/`, a module each, and the libraries they are built on.

A new client is a new module in `products/` with `CLIENTS = (Client(...),)`; nothing else names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules

from mcptap.clients import products
from mcptap.clients.client import Client
from mcptap.clients.libraries import LIBRARIES


def _clients() -> Iterator[Client]:
    for module in sorted(found.name for found in iter_modules(products.__path__)):
        yield from import_module(f"{products.__name__}.{module}").CLIENTS
    yield from LIBRARIES


CLIENTS: Mapping[str, Client] = {client.id: client for client in _clients()}
