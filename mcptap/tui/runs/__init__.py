"""A run on the screen: the sessions that one client started, on one timeline."""
