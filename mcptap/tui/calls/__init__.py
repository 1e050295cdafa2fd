"""The calls of a session: a row for each request and its answer, sorted, filtered, on a time axis."""
