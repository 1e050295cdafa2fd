"""What each tool answers."""
