"""mcptap as a client (`send`, `probe`) or as a server (`mock`), and the comparison of sessions."""
