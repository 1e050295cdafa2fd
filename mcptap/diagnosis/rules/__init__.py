"""The catalogue: importing this package registers every rule, in the catalogue's order."""

from mcptap.diagnosis.rules import framing, interaction, jsonrpc, lifecycle, shapes, stateless, waiting

__all__ = ["framing", "interaction", "jsonrpc", "lifecycle", "shapes", "stateless", "waiting"]
