"""What real clients do about each fault of a server: measured by running them."""
