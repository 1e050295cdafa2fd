"""Parts of the screen that know nothing of recordings."""
