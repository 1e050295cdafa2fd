"""JSON as text: where values stand in the bytes, members as spelled, how two values differ."""
