"""What the logs of several programs have in common: entries with a time, and how they tell what passed."""
