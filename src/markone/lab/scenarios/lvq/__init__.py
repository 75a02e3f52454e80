"""LVQ on Gaussian clusters."""
