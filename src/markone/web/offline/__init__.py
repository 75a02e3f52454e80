"""The laboratory as a page without a server."""
