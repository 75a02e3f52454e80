"""Algorithms that learn a fixed set of examples; one file each."""
