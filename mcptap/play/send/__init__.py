"""`mcptap send`: a recorded client's lines to a fresh server."""
