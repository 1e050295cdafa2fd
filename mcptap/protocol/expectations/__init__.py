"""What a user asks of a session beyond the protocol: which tools, how fast, how many tokens."""
