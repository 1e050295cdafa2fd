"""Commands about what other tools recorded and logged."""
