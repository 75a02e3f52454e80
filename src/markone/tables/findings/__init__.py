"""Sense of the data before the fit: what in a table could make a score untrue, or deserves a look.

One finding, one file: each has a function that takes the `Evidence` and yields `TableFinding`s. `looking`
asks them all.
"""
