"""Everything before the search in one call: labels, sizes, scales and the scaled copy of dense examples.

A small set is decided in less time than numpy takes to look for its largest number.
"""

import math

from markone.numerics._smallest import greater
from markone.numerics.compiling import entry, piece, proof_part
from markone.perceptron.separation._scales import inverse_power
from markone.perceptron.separation._signs import signs_of

# Squares of larger numbers, summed, would overflow.
LARGEST = 1e150
# The smallest number with all its digits.
SMALLEST = 2.0**-1022


@piece
def largest_of_rows(xi, rows):
    """Fill `rows` with the largest |xi| of each; False if a number is NaN or beyond LARGEST."""
    wrong = 0
    for mu in range(rows.shape[0]):
        row, top = xi[mu], 0.0
        for j in range(row.shape[0]):
            # NaN is not smaller than anything.
            wrong |= 0 if abs(row[j]) <= LARGEST else 1
            top = greater(top, abs(row[j]))
        rows[mu] = top
    return wrong == 0


@piece
def largest_of_columns(xi, a, columns):
    for mu in range(a.shape[0]):
        row, factor = xi[mu], a[mu]
        for j in range(columns.shape[0]):
            columns[j] = greater(columns[j], abs(factor * row[j]))


@piece
def square_of_row(row, factor, c):
    total = 0.0
    for j in range(c.shape[0]):
        value = factor * row[j] * c[j]
        total += value * value
    return total


@proof_part
def scale_row(row, factor, c, scaled):
    """True if every product is exact, so that what is proven of the scaled row is true of the given one."""
    lost = 0
    for j in range(c.shape[0]):
        once = row[j] * factor
        twice = once * c[j]
        scaled[j] = twice
        # Powers of two lose digits only where a number is too small for them, or too large for any.
        small = abs(once) < SMALLEST or abs(twice) < SMALLEST
        lost |= 1 if (small and row[j] != 0.0) or not abs(twice) <= 4.0 else 0
    return lost == 0


@entry
def prepare(xi, labels, Y, w, x, of_examples, of_inputs):
    """(number of labels, largest |xi|, a row that is all zero or -1, whether Y is exact).

    of_examples: S, a, and E, r, dE = 0; of_inputs: c, and g, p, old = 0; w = 0, x = 1; Y = a S xi c with the
    scales of `_scales`. No labels, or NaN for the largest: what is not a set of whole labels and numbers up
    to LARGEST is left to somebody else, who has a sentence for it.
    """
    S, a, r, c, columns = of_examples[0], of_examples[1], of_examples[2], of_inputs[0], of_inputs[1]
    for k in range(1, of_inputs.shape[0]):
        for j in range(c.shape[0]):
            of_inputs[k, j] = 0.0
    kinds = signs_of(labels, S)
    if kinds == 0 or not largest_of_rows(xi, r):
        return kinds, math.nan, -1, False
    top, zero, exact = 0.0, -1, True
    for mu in range(a.shape[0]):
        a[mu] = inverse_power(r[mu])
        top = greater(top, r[mu])
        if r[mu] == 0.0:
            zero = mu
    largest_of_columns(xi, a, columns)
    for j in range(c.shape[0]):
        c[j] = inverse_power(columns[j])
        columns[j] = w[j] = 0.0
    for mu in range(a.shape[0]):
        a[mu] *= 2.0 * inverse_power(math.sqrt(square_of_row(xi[mu], a[mu], c)))
        exact = scale_row(xi[mu], a[mu] * S[mu], c, Y[mu]) and exact
        x[mu] = 1.0
    for k in range(2, of_examples.shape[0]):
        for mu in range(a.shape[0]):
            of_examples[k, mu] = 0.0
    return kinds, top, zero, exact
