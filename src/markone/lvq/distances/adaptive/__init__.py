"""Distances whose metric is learned with the prototypes   (5.13)."""
