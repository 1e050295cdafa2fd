"""Commands that make a session ready to be passed on to others."""
