"""Findings in words: causes, consequences for the client, the verdict."""
