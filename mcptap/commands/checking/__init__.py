"""What `check` and `probe` share beside their reports: the settings of a project, and what is expected."""
