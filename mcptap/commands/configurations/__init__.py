"""Commands that change the configurations of clients."""
