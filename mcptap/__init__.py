"""mcptap: a man in the middle on stdio that shows why an MCP server went silent."""

__version__ = "0.1.0"
