"""Vector representations: feature space of a kernel, embedding of dissimilarities."""
