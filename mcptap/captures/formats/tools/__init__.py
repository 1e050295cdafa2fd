"""What inspectors and proxies write."""
