"""On-line epochs: compiled for squared Euclidean distance, plain Python for any other."""
