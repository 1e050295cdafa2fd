"""Parts of `mcptap send`: what it would do, what it prints, how it judges."""
