"""The laboratory in a browser: what the page shows is what the library computes."""
