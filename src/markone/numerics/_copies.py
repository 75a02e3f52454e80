"""Copies from array to array as loops: `into[:] = values` would be compiled for seconds.

For its message on unequal lengths numba compiles the formatting of text into every function that has one.
"""

from markone.numerics.compiling import part


@part
def copy(values, into):
    """into[:] = values, of equal lengths."""
    for i in range(into.shape[0]):
        into[i] = values[i]
