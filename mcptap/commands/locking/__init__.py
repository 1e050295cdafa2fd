"""`mcptap lock`, and what `check` and `probe` share with it."""
