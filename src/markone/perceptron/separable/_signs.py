"""Conversion of two numeric labels to S = +-1."""

import math

from markone.numerics.compiling import entry, piece


@piece
def fill_signs(labels, S):
    """Fill S, +1 for the larger label; return the number of labels, 0 if more than two or not integers."""
    low = high = labels[0]
    for mu in range(labels.shape[0]):
        label = labels[mu]
        low = label if label < low else low
        high = label if label > high else high
    for mu in range(labels.shape[0]):
        label = labels[mu]
        if (label != low and label != high) or label != math.floor(label):
            return 0
        S[mu] = 1.0 if label == high else -1.0
    return 2 if low < high else 1


@entry
def fill_two_signs(labels, S):
    """Fill S and return whether there are exactly two integer labels."""
    return fill_signs(labels, S) == 2
