"""Whoever plays a part in the conversation: the client's (`send`, `probe`) or the server's (`mock`)."""
