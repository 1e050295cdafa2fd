"""What a changed schema means for those who used the old one: other words, more than before, or a breach."""
