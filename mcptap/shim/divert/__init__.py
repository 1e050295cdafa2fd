"""`mcptap run --divert`: lines of stdout that are no messages go to stderr. Imported only if asked for."""
