"""One random stream for each (seed, N, P, repeat, purpose); draws depend on nothing else.

The same numbers give the same data in every scenario and for every algorithm, whatever the order of the
repeats, the size of the blocks or the number of workers.
"""

import numpy as np

from markone.numerics._random import GOLDEN, MIX_1, MIX_2, S27, S30, S31
from markone.numerics.compiling import part

# Separate streams: the data do not depend on how many numbers the training draws.
DATA, TRAINING = 1, 2


@part
def mix_bits(z):
    """The finaliser of SplitMix64: each bit of z changes about half of the bits of the result."""
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@part
def seed_stream(state, seed, N, P, repeat, purpose):
    """Fill the state (one uint64) from five whole numbers, mixed in one after the other."""
    z = np.uint64(0)
    for word in (seed, N, P, repeat, purpose):
        z = mix_bits((z ^ np.uint64(word)) + GOLDEN)
    state[0] = z
