"""Commands about how long recordings are kept."""
