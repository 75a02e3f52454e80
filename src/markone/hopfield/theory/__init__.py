"""Theory of Hopfield networks."""
