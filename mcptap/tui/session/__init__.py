"""The screen of one recording."""
