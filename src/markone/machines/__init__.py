"""Machines built from perceptrons: committee and parity."""
