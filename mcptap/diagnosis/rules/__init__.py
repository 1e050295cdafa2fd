"""The catalogue: importing this package registers every rule, in the catalogue's order."""

from mcptap.diagnosis.rules import framing, jsonrpc

__all__ = ["framing", "jsonrpc"]
