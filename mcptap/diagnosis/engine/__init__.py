"""The machine that runs rules over a session and orders what they find."""
