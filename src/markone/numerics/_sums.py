"""Sums as loops inside the entry.

Numba compiles `a.sum()` as a separate function, which several entries share by name: the copy loaded first is
called, and it may add in another order. The last bit of a result would then depend on what else the process
has compiled or loaded.
"""

from markone.numerics.compiling import part


@part
def sum_values(a):
    """sum_j a_j"""
    result = 0.0
    for j in range(a.shape[0]):
        result += a[j]
    return result


@part
def dot_product(a, b):
    """sum_j a_j b_j"""
    result = 0.0
    for j in range(a.shape[0]):
        result += a[j] * b[j]
    return result
