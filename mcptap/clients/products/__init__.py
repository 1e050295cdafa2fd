"""Clients that people use, a module each: `CLIENTS` holds one row, or those of one maker."""
