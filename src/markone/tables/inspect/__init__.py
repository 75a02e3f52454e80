"""Diagnostics of a validation: classes, probabilities, columns, rows, treatments of missing values."""
