"""On-line algorithms, which learn from a stream of examples; one file each."""
