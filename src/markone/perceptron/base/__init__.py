"""What every perceptron shares: examples as the loops see them, epochs, and the estimator round them."""
