"""Numbers of a session in bounded memory."""
