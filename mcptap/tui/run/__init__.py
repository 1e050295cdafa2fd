"""Screens that run a command of mcptap and show what came of it."""
