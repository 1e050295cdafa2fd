"""A server's process, started and driven by mcptap."""
