"""Libraries that clients are built on, in the order in which reports name them."""

from __future__ import annotations

from mcptap.clients.libraries import csharp, python, rust, typescript

LIBRARIES = (*typescript.LIBRARIES, *python.LIBRARIES, *csharp.LIBRARIES, *rust.LIBRARIES)
