"""Recordings and findings as text for people and as files for programs."""
