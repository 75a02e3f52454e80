"""Perceptrons trained on labels of a teacher, or on random labels: error, stability, version space."""
