"""Vectors for things that have none: a kernel's feature space, the space of dissimilarities."""
