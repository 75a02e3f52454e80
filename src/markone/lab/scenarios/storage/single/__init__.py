"""Separable or not, one data set at a time: a search in float32, its answers proven in whole numbers."""
