"""Commands that serve others: a client starts them."""
