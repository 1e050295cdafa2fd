"""The diagnosis: why the agent went silent, judged from a recording alone."""
