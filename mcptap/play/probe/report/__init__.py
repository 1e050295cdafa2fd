"""What a probe came to: findings of all its recordings, the whole judged, as text and as JSON."""
