"""Recordings of other tools that stand, or stood, between a client and its server."""
