"""What libraries log in the programs that are built on them."""
