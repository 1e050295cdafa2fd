"""Logs that clients keep of their servers: a module for each client, or for each of its logs."""
