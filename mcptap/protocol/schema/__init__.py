"""What values have to look like: JSON Schema, and the shapes of params and results."""
