"""Everything before the search in one call: labels, sizes, scales and the scaled copy of dense examples.

A small set is decided in less time than numpy takes to look for its largest number.
"""

import math

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from markone.numerics._smallest import greater
from markone.numerics.compiling import entry
from markone.perceptron.separation._signs import signs_of

# Squares of larger numbers, summed, would overflow.
LARGEST = 1e150
# Numbers from here to LARGEST keep all their digits times two powers of two that are no further from one.
SMALLEST, EXACT = 2.0**-300, 2.0**300


@intrinsic
def inverse_below(typing, value):
    """2^-k for a positive value in 2^k [1, 2), neither very large nor very small."""

    def generate(context, builder, signature, args):
        whole = ir.IntType(64)
        exponent = builder.and_(builder.bitcast(args[0], whole), whole(0x7FF << 52))
        return builder.bitcast(builder.sub(whole(0x7FE << 52), exponent), ir.DoubleType())

    return types.float64(types.float64), generate


@entry
def prepare(xi, labels, Y, x, of_examples, of_inputs):
    """(number of labels, largest |xi|, a row that is all zero or -1, whether Y is exact).

    Y = a S xi c with the scales of `_scales`, x = 1. of_examples begins with S and a, of_inputs with c and a
    row of zeros, which becomes nobody's. No labels, or NaN for the largest: what is not a set of whole labels
    and ordinary numbers is left to somebody else, who has patience with it or a sentence.
    """
    S, a, c, columns = of_examples[0], of_examples[1], of_inputs[0], of_inputs[1]
    kinds, strange, largest, zero, exact = signs_of(labels, S), 0, 0.0, -1, True
    for mu in range(a.shape[0]):
        row, top = xi[mu], 0.0
        for j in range(row.shape[0]):
            size = abs(row[j])
            # NaN is neither.
            strange |= 0 if SMALLEST <= size <= LARGEST or size == 0.0 else 1
            top = greater(top, size)
        if kinds == 0 or strange != 0:
            return kinds, math.nan, -1, False
        factor = 1.0 if top == 0.0 else 0.5 * inverse_below(top)
        for j in range(columns.shape[0]):
            columns[j] = greater(columns[j], factor * abs(row[j]))
        a[mu], largest, zero = factor, greater(largest, top), mu if top == 0.0 else zero
    for j in range(c.shape[0]):
        c[j] = 1.0 if columns[j] == 0.0 else 0.5 * inverse_below(columns[j])
        exact = exact and c[j] <= EXACT
    for mu in range(a.shape[0]):
        row, scaled, square = xi[mu], Y[mu], 0.0
        for j in range(c.shape[0]):
            value = a[mu] * row[j] * c[j]
            square += value * value
        a[mu] *= 2.0 if square == 0.0 else inverse_below(math.sqrt(square))
        exact = exact and 1.0 / EXACT <= a[mu] <= EXACT
        factor = a[mu] * S[mu]
        for j in range(c.shape[0]):
            scaled[j] = factor * row[j] * c[j]
        x[mu] = 1.0
    return kinds, largest, zero, exact
