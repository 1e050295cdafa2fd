"""Captures that others made, read as far as they can be read honestly.

Each format is one module with one decoder: it takes the lines of the file and gives the
items that a recording's reader gives, and it says what it can't know (`Evidence`).
"""
