"""Secrets out of what is shown or handed on: one list of what a secret is, one form of what stands for it."""
