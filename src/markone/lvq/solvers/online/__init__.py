"""Passes over examples one by one: compiled for squared Euclidean distance, plain for any other."""
