"""Clients of MCP as data: how each starts a server, speaks to it and stops it."""
