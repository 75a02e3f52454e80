"""Theory of learning vector quantisation for N -> infinity."""
