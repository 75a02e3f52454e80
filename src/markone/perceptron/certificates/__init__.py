"""Proofs about stability and separability, for the given numbers, rounding errors included."""
