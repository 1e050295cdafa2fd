"""The session that most tests of the screen look at: see `conftest.path`."""

LIST, CALL, NOISE, ANSWER, FAILED, FAILURE, SILENT = 5, 7, 8, 9, 11, 12, 13
"""Indices of records of that session."""

TOOLS = {"tools": [{"name": "forecast", "description": "Tells it.", "inputSchema": {"type": "object"}}]}
