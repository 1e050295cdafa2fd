"""Format 1 of a recording: each kind of record and each field, written and read."""
