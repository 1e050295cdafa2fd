"""Runs rules over a session and orders what they find."""
