"""A probe that is made again whenever something changes below a folder."""
