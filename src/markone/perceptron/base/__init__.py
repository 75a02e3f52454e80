"""Shared by all perceptrons: the binary problem, the epochs of training, the estimator base classes."""
