"""Recording variants of the training loops, used only if `record` is set.

A recording loop does the same operations in the same order as the fast one and gives bitwise the same
weights, which is tested.
"""
