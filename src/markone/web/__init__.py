"""The laboratory in a browser: every number on the page is computed by the library."""
