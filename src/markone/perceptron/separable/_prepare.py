"""Preparation of dense examples in one compiled call: labels, checks, scales and the scaled copy.

A small set is decided in less time than numpy takes to find its largest number.
"""

import math

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from markone.numerics._vectors import max_finite
from markone.numerics.compiling import entry
from markone.perceptron.separable._signs import fill_signs

# Sums of squares of larger numbers would overflow.
LARGEST = 1e150
# Numbers from SMALLEST to LARGEST are scaled without rounding by two powers of two within 1/EXACT .. EXACT.
SMALLEST, EXACT = 2.0**-300, 2.0**300


@intrinsic
def inverse_power_below(typing, value):
    """2^-k for a positive value in 2^k [1, 2), neither very large nor very small."""

    def generate(context, builder, signature, args):
        whole = ir.IntType(64)
        exponent = builder.and_(builder.bitcast(args[0], whole), whole(0x7FF << 52))
        return builder.bitcast(builder.sub(whole(0x7FE << 52), exponent), ir.DoubleType())

    return types.float64(types.float64), generate


@entry
def prepare_examples(xi, labels, Y, x, of_examples, of_inputs):
    """Return (number of labels, largest |xi|, index of an all-zero row or -1, whether Y is exact).

    Fills Y = a S xi c with the scales of `_scales`, and x = 1. of_examples begins with S and a, of_inputs
    with c and a work row of zeros. If labels are not integers, or inputs are not finite, huge or tiny, the
    first is 0 or the second NaN, and the caller takes the slower path, which handles or rejects them.
    """
    # One assignment a line: numba compiles a tuple for each multiple assignment.
    S = of_examples[0]
    a = of_examples[1]
    c = of_inputs[0]
    columns = of_inputs[1]
    kinds = fill_signs(labels, S)
    strange = 0
    largest = 0.0
    zero = -1
    exact = True
    for mu in range(a.shape[0]):
        row = xi[mu]
        top = 0.0
        for j in range(row.shape[0]):
            size = abs(row[j])
            # True for NaN as well.
            strange |= 0 if SMALLEST <= size <= LARGEST or size == 0.0 else 1
            top = max_finite(top, size)
        if kinds == 0 or strange != 0:
            return kinds, math.nan, -1, False
        factor = 1.0 if top == 0.0 else 0.5 * inverse_power_below(top)
        for j in range(columns.shape[0]):
            columns[j] = max_finite(columns[j], factor * abs(row[j]))
        a[mu] = factor
        largest = max_finite(largest, top)
        zero = mu if top == 0.0 else zero
    for j in range(c.shape[0]):
        c[j] = 1.0 if columns[j] == 0.0 else 0.5 * inverse_power_below(columns[j])
        exact = exact and c[j] <= EXACT
    for mu in range(a.shape[0]):
        row = xi[mu]
        scaled = Y[mu]
        square = 0.0
        for j in range(c.shape[0]):
            value = a[mu] * row[j] * c[j]
            square += value * value
        a[mu] *= 2.0 if square == 0.0 else inverse_power_below(math.sqrt(square))
        exact = exact and 1.0 / EXACT <= a[mu] <= EXACT
        factor = a[mu] * S[mu]
        for j in range(c.shape[0]):
            scaled[j] = factor * row[j] * c[j]
        x[mu] = 1.0
    return kinds, largest, zero, exact
