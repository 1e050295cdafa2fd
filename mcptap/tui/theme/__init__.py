"""Colours: what they mean, which there are for each kind of terminal, and the themes made of them."""
