"""Checks of the data before the fit: what could make a score misleading or needs attention.

A check is a function of the `Evidence` that yields `TableFinding`s; `prepared_data` runs them all.
"""
