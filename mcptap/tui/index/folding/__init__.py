"""What is one row: a run of stderr, a line that came in parts."""
