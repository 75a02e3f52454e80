"""Two labels as S = +-1, in one pass."""

import math

from markone.numerics.compiling import entry, piece


@piece
def signs_of(labels, S):
    """S = +1 for the larger of two whole numbers: how many there are, 0 if more than two, or not whole."""
    low = high = labels[0]
    for mu in range(labels.shape[0]):
        label = labels[mu]
        low, high = label if label < low else low, label if label > high else high
    for mu in range(labels.shape[0]):
        label = labels[mu]
        if (label != low and label != high) or label != math.floor(label):
            return 0
        S[mu] = 1.0 if label == high else -1.0
    return 2 if low < high else 1


@entry
def two_signs(labels, S):
    """The same for who asks for nothing else."""
    return signs_of(labels, S) == 2
