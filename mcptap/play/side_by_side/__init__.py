"""Servers and clients side by side: what each client would have of each server, and why not."""
