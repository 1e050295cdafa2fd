"""What a probe or a comparison came to, in the forms in which `mcptap check` reports."""
