"""Comparison of several models on the same folds: significant differences and fit times."""
