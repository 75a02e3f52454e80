"""Exact and double-double arithmetic: solvers for sets that floats cannot decide, and `verify`."""
