"""Two labels as S = +-1, in one pass."""

import math

from markone.numerics.compiling import entry


@entry
def two_signs(labels, S):
    """S = +1 for the larger of two whole numbers; False if they are not two, or not whole."""
    low = high = labels[0]
    for label in labels:
        low, high = min(low, label), max(high, label)
    for mu in range(labels.shape[0]):
        label = labels[mu]
        if label not in (low, high) or label != math.floor(label):
            return False
        S[mu] = 1.0 if label == high else -1.0
    return low < high
