"""Bias and variance of a fit   (6.1-6.7)."""
