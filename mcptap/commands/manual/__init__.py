"""Help, pages and completion, all made of the commands' own parsers."""
