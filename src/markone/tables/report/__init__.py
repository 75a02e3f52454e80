"""Output of a fit: HTML page, terminal text, JSON."""
