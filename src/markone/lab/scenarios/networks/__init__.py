"""Neurons and small layered networks."""
