"""Worlds of examples: inputs, and the averages over the fields of training examples for each kind."""
