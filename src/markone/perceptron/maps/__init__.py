"""Explicit maps Psi(xi) into a feature space, in which a perceptron learns   (4.16, 4.17)."""
