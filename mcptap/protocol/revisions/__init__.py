"""The published revisions of MCP: their eras, methods and features."""
