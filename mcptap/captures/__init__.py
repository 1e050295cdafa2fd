"""What is read as a session: recordings of mcptap, and captures that other tools made."""
