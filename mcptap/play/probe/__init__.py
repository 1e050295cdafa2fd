"""`mcptap probe`: questions to a server that show what it does wrong."""
