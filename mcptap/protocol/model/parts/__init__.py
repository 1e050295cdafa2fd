"""The parts of a session: each owns the state of what it is about."""
