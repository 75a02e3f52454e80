"""Robustness tests in real runs: `make drill` prints one table. Every row should be N of N."""
