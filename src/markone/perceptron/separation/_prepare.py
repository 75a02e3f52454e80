"""Everything before the search in one call: labels, sizes, scales and the scaled copy of dense examples.

A small set is decided in less time than numpy takes to look for its largest number.
"""

import math

from markone.numerics._smallest import greater
from markone.numerics.compiling import entry, proof_part
from markone.perceptron.separation._scales import inverse_power
from markone.perceptron.separation._signs import signs_of

# Squares of larger numbers, summed, would overflow.
LARGEST = 1e150
# The smallest number with all its digits.
SMALLEST = 2.0**-1022


@proof_part
def scale_row(row, factor, c, scaled):
    """0 if every product is exact, so that what is proven of the scaled row is true of the given one."""
    lost = 0
    for j in range(c.shape[0]):
        once = row[j] * factor
        twice = once * c[j]
        scaled[j] = twice
        # Powers of two lose digits only where a number is too small for them, or too large for any.
        small = abs(once) < SMALLEST or abs(twice) < SMALLEST
        lost |= 1 if (small and row[j] != 0.0) or not abs(twice) <= 4.0 else 0
    return lost


@entry
def prepare(xi, labels, Y, x, of_examples, of_inputs):
    """(number of labels, largest |xi|, a row that is all zero or -1, whether Y is exact).

    Y = a S xi c with the scales of `_scales`, x = 1. of_examples begins with S and a, of_inputs with c and a row
    of zeros, which becomes nobody's. No labels, or NaN for the largest: what is not a set of whole labels and
    of numbers up to LARGEST is left to somebody else, who has a sentence for it.
    """
    S, a, c, columns = of_examples[0], of_examples[1], of_inputs[0], of_inputs[1]
    kinds, wrong, lost, largest, zero = signs_of(labels, S), 0, 0, 0.0, -1
    for mu in range(a.shape[0]):
        row, top = xi[mu], 0.0
        for j in range(row.shape[0]):
            # NaN is not smaller than anything.
            wrong |= 0 if abs(row[j]) <= LARGEST else 1
            top = greater(top, abs(row[j]))
        if kinds == 0 or wrong != 0:
            return kinds, math.nan, -1, False
        factor = inverse_power(top)
        for j in range(columns.shape[0]):
            columns[j] = greater(columns[j], abs(factor * row[j]))
        a[mu], largest, zero = factor, greater(largest, top), mu if top == 0.0 else zero
    for j in range(c.shape[0]):
        c[j] = inverse_power(columns[j])
    for mu in range(a.shape[0]):
        row, scaled, factor, square = xi[mu], Y[mu], a[mu], 0.0
        for j in range(c.shape[0]):
            value = factor * row[j] * c[j]
            square += value * value
        a[mu] *= 2.0 * inverse_power(math.sqrt(square))
        lost |= scale_row(row, a[mu] * S[mu], c, scaled)
        x[mu] = 1.0
    return kinds, largest, zero, lost == 0
