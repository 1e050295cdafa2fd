"""What leaves the screen: files, the clipboard, other programs."""
