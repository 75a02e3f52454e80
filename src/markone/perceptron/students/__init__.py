"""Batch algorithms, trained on a fixed set of examples; one file each."""
