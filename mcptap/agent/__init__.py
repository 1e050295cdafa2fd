"""`mcptap mcp`: an MCP server through which an agent reads the recordings. See its README.md."""
