"""Sentences about the numbers, and whether the numbers agree."""
