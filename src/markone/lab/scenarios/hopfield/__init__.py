"""Attractor memories."""
