"""Two sessions side by side on the screen."""
