"""Random numbers inside compiled loops: SplitMix64 on an array of one unsigned integer.

The state is the caller's, so a loop that stops and goes on draws what it would have drawn, and the
numbers do not change with the version of numpy.
"""

import numpy as np

from markone.numerics.compiling import part

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S30, S27, S31, S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@part
def draw(state):
    """The next 64 random bits."""
    state[0] += GOLDEN
    z = state[0]
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@part
def below(state, n):
    """A number from 0 .. n-1 (n < 2^32; the bias of n / 2^32 at the most is below any test here)."""
    return np.int64(((draw(state) >> S32) * np.uint64(n)) >> S32)


@part
def shuffle(state, items):
    """Fisher and Yates, in place."""
    for i in range(items.shape[0] - 1, 0, -1):
        j = below(state, i + 1)
        items[i], items[j] = items[j], items[i]
