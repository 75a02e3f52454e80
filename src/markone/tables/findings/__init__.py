"""Checks of the data before the fit: what could make a score misleading or needs attention.

Each file has a check: a function of the `Evidence` that yields `TableFinding`s. `looking` runs them all.
"""
