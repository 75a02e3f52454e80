"""Associative memory: couplings that store patterns, and the dynamics that recall them."""
