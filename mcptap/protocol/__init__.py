"""The protocol as data and as a model: methods, messages, pairs, session state. No I/O."""
