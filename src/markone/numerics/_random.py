"""Random numbers inside compiled loops: SplitMix64 on an array of one unsigned integer.

The caller holds the state, so that a loop can be interrupted and continued with the same draws. The
numbers do not depend on the version of numpy. `seed_stream` makes one stream for each (seed, N, P, repeat,
purpose): the same numbers give the same data in every scenario and for every algorithm, whatever the order of
the repeats, the size of the blocks or the number of workers.
"""

import numpy as np

from markone.numerics.compiling import part

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S30, S27, S31, S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@part
def draw_bits(state):
    """The next 64 random bits."""
    state[0] += GOLDEN
    z = state[0]
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@part
def draw_below(state, n):
    """Uniform integer from 0 .. n-1 (n < 2^32; the bias is at most n / 2^32)."""
    return np.int64(((draw_bits(state) >> S32) * np.uint64(n)) >> S32)


@part
def shuffle_items(state, items):
    """Permute the items in place (Fisher and Yates)."""
    for i in range(items.shape[0] - 1, 0, -1):
        j = draw_below(state, i + 1)
        items[i], items[j] = items[j], items[i]


TO_UNIT = 2.0**-53
S11 = np.uint64(11)


@part
def draw_uniform(state):
    """A float from [0, 1), a multiple of 2^-53."""
    return (draw_bits(state) >> S11) * TO_UNIT


def ziggurat_edges(boxes=128, r=3.442619855899, v=9.91256303526217e-3):
    """The right edges of the boxes of equal area v under exp(-x^2/2) (Marsaglia and Tsang 2000).

    Box 0 is the base strip with the tail beyond r: its width is v / f(r) > r.
    """
    edges = np.empty(boxes + 1)
    edges[0], edges[1], edges[boxes] = v / np.exp(-0.5 * r * r), r, 0.0
    for i in range(2, boxes):
        edges[i] = np.sqrt(-2.0 * np.log(v / edges[i - 1] + np.exp(-0.5 * edges[i - 1] ** 2)))
    return edges


EDGES = ziggurat_edges()
TAIL = EDGES[1]
BOX = np.uint64(127)


@part
def draw_normal(state):
    """A standard normal number by the ziggurat.

    The box comes from the lowest 7 bits and the place in it from the highest 53: bits that Marsaglia's
    first version shared, which was measurably wrong (Doornik 2005).
    """
    x = 0.0
    found = False
    while not found:
        bits = draw_bits(state)
        i = np.int64(bits & BOX)
        u = 2.0 * ((bits >> S11) * TO_UNIT) - 1.0
        x = u * EDGES[i]
        if abs(x) < EDGES[i + 1]:
            found = True
        elif i == 0:
            # Marsaglia's exact tail beyond r.
            a = -np.log(1.0 - draw_uniform(state)) / TAIL
            b = -np.log(1.0 - draw_uniform(state))
            if 2.0 * b > a * a:
                x = TAIL + a if u > 0.0 else -TAIL - a
                found = True
        else:
            low = np.exp(-0.5 * EDGES[i] ** 2)
            high = np.exp(-0.5 * EDGES[i + 1] ** 2)
            found = low + draw_uniform(state) * (high - low) < np.exp(-0.5 * x * x)
    return x


@part
def draw_chi_square(state, k):
    """A chi^2 number with k = 0, 1, 2, ... degrees of freedom (Marsaglia and Tsang's gamma for k >= 2)."""
    if k == 0:
        return 0.0
    if k == 1:
        return draw_normal(state) ** 2
    d = 0.5 * k - 1.0 / 3.0
    c = 1.0 / np.sqrt(9.0 * d)
    gamma = -1.0
    while gamma < 0.0:
        x = draw_normal(state)
        v = (1.0 + c * x) ** 3
        if v > 0.0 and np.log(1.0 - draw_uniform(state)) < 0.5 * x * x + d * (1.0 - v + np.log(v)):
            gamma = d * v
    return 2.0 * gamma


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


CYCLIC, RANDOM, SHUFFLED = 0, 1, 2
# Values of the parameter `order`.
ORDERS = {"cyclic": CYCLIC, "random": RANDOM, "shuffled": SHUFFLED}


@part
def pick_example(order, i, turn, state):
    """The i-th example of an epoch: cyclic (3.11), random with replacement, or a new permutation."""
    if order == RANDOM:
        return draw_below(state, turn.shape[0])
    if order == SHUFFLED and i == 0:
        shuffle_items(state, turn)
    return turn[i]
