"""What a server offers as a contract: hashed by class, kept in `mcptap.lock`, and compared with it."""
