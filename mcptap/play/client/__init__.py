"""A client that mcptap plays: what it asks, and with which arguments."""
