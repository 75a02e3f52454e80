"""Linear regression, bias and variance."""
