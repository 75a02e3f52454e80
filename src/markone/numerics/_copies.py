"""Copies from array to array as loops: `into[:] = values` takes seconds to compile.

Numba would compile text formatting, for its message on unequal lengths, into every such function.
"""

from markone.numerics.compiling import part


@part
def copy_array(values, into):
    """into[:] = values, of equal lengths."""
    for i in range(into.shape[0]):
        into[i] = values[i]
