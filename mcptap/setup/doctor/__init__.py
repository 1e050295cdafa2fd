"""`mcptap doctor`: what in the configurations of clients keeps servers from starting, and the repair."""
