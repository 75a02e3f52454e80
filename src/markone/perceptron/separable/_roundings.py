"""Error-free sums and products, the basis of the proofs.

Correct only if each operation is rounded once, as written: all functions are compiled without fastmath flags.
"""

import numba
from numba import types
from numba.extending import intrinsic

from markone.numerics.compiling import proof_part

# Unit roundoff, and the smallest positive number.
U = 2.0**-53
ETA = 2.0**-1074


@intrinsic
def _fused_multiply_add(typing, a, b, c):
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
def two_product_fused(a, b):
    """(p, e) with p = fl(a b) and p + e = a b exactly, but for underflow of e."""
    p = a * b
    return p, _fused_multiply_add(a, b, -p)


@proof_part
def two_product_split(a, b):
    """`two_product_fused` without a fused multiply-add, for |a|, |b| < 2^996   (Dekker)."""
    p = a * b
    c, d = 134217729.0 * a, 134217729.0 * b
    a_high, b_high = c - (c - a), d - (d - b)
    a_low, b_low = a - a_high, b - b_high
    return p, a_low * b_low - (((p - a_high * b_high) - a_low * b_high) - a_high * b_low)


# Without the compiler, as for debugging, there is no fused multiply-add.
two_product = two_product_split if numba.config.DISABLE_JIT else two_product_fused


@proof_part
def add_product(a, b, high, low, size):
    """high + low += a b; size += |a b|."""
    p, e = two_product(a, b)
    high, d = two_sum(high, p)
    return high, low + (d + e), size + abs(p)


@proof_part
def sum_error_bound(result, terms, size):
    """Error bound of a compensated sum of `terms` terms with sum of absolute values `size`.

    Ogita, Rump and Oishi (2005): |error| <= u |sum| + gamma_n^2 size; the factors cover the rounding of this
    line and of `size` itself, the last term underflow.
    """
    n = 2.0 * terms + 40.0
    gamma = n * U / (1.0 - n * U)
    return (U * abs(result) + 2.0 * gamma * gamma * size + 4.0 * n * ETA) * (1.0 + 8.0 * U)
