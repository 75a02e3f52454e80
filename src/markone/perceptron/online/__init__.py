"""Algorithms that learn from one example after the other; one file each."""
