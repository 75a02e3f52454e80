"""Whoever computes: executors, a watched pool, progress, estimates, clusters."""
