"""Sums and products with their rounding errors: what proofs are made of.

Every function here is right only if each operation is rounded once, as written: `proof_part`, never `part`.
"""

from numba import types
from numba.extending import intrinsic

from markone.numerics.compiling import proof_part

# Half a unit in the last place, and the smallest number above zero.
U = 2.0**-53
ETA = 2.0**-1074


@intrinsic
def fma(typing, a, b, c):
    """a b + c, rounded once, on any machine: one instruction where there is one, libm's elsewhere."""

    def generate(context, builder, signature, args):
        return builder.fma(*args)

    return types.float64(types.float64, types.float64, types.float64), generate


@proof_part
def two_sum(a, b):
    """(s, e) with s = fl(a + b) and s + e = a + b exactly   (Knuth)."""
    s = a + b
    c = s - a
    return s, (a - (s - c)) + (b - c)


@proof_part
def two_product(a, b):
    """(p, e) with p = fl(a b) and p + e = a b exactly, but for e below 2^-1074."""
    p = a * b
    return p, fma(a, b, -p)


@proof_part
def error_of(result, terms, size):
    """How far a compensated sum of so many terms, of total size `size`, can be from the truth.

    Ogita, Rump and Oishi (2005): |error| <= u |sum| + gamma_n^2 size; the
    factors cover the rounding of this line and of `size` itself.
    """
    n = 2.0 * terms + 40.0
    gamma = n * U / (1.0 - n * U)
    return (U * abs(result) + 2.0 * gamma * gamma * size + 4.0 * n * ETA) * (1.0 + 8.0 * U)
