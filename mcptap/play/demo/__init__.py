"""`mcptap demo`: the first minute."""
