"""`mcptap mock`: a stand-in for a recorded server."""
