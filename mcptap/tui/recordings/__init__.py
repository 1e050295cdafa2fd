"""The screen that lists recordings."""
