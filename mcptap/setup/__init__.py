"""Configurations changed: mcptap put in front of servers, and taken out, with nothing else touched."""
