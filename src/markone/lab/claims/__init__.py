"""Claims of a declaration and their tests."""
