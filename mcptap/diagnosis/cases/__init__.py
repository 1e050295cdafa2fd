"""Short sessions that say what the rules say about them; `README.md` here is their format."""
