"""Proofs about stability and separability: from the caller's own numbers, rounding counted in."""
