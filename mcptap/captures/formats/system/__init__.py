"""What tools of the system wrote down: system calls, terminals."""
