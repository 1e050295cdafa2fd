"""Text for people: made fit for a terminal, units, paragraphs, tables. Knows nothing of MCP."""
