"""The index of a recording: built in a process of its own, filtered, searched."""
