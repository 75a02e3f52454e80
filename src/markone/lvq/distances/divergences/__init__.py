"""Divergences between histograms."""
