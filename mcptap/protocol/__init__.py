"""MCP as a model: messages, pairs, sessions and the tables of the specification. No I/O."""
