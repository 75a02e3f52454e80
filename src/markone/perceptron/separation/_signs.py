"""Two labels as S = +-1, in one pass."""

import math

from markone.numerics.compiling import entry


@entry
def two_signs(labels, S):
    """S = +1 for the larger of two whole numbers; False if they are not two, or not whole."""
    low = high = labels[0]
    for mu in range(labels.shape[0]):
        low, high = min(low, labels[mu]), max(high, labels[mu])
    for mu in range(labels.shape[0]):
        label = labels[mu]
        if (label != low and label != high) or label != math.floor(label):
            return False
        S[mu] = 1.0 if label == high else -1.0
    return low < high
