"""Configurations of clients as they lie on this machine: documents with their bytes, entries, expansion."""
