"""Random labels: the data of one set, as integers in units of 2^-20.

The inputs are normal numbers rounded to multiples of 2^-20 (half to even). All are below 16 in size, so
that float32 represents each exactly, and in these units inputs, and weights that start at zero, are
integers: sums of them are free of rounding. The rounding is part of the definition, for every N.
"""

import math

import numpy as np

from markone.numerics._random import (
    BOX,
    DATA,
    EDGES,
    GOLDEN,
    S11,
    TO_UNIT,
    draw_normal,
    draw_uniform,
    mix_bits,
    seed_stream,
)
from markone.numerics.compiling import entry, part, proof_part

UNITS = 2.0**20
ONE = np.uint64(1)
# Added to a number below 2^51 in size it leaves the nearest integer, half to even, in the last bits.
MAGIC = 1.5 * 2.0**52
DENSITY = np.array([math.exp(-0.5 * edge**2) for edge in EDGES])


@proof_part
def round_to_int(number):
    """Nearest integer, half to even, of a number below 2^30; np.rint is a call."""
    return np.int32((number + MAGIC) - MAGIC)


@entry
def draw_inputs(state, z):
    """Draw the next numbers of `normal`, in units: the same stream, with its state in a register."""
    place, j, n = state[0], 0, z.shape[0]
    while j < n:
        place += GOLDEN
        bits = mix_bits(place)
        box = bits & BOX
        x = (2.0 * (np.int64(bits >> S11) * TO_UNIT) - 1.0) * EDGES[box]
        found = 1
        # 97 of 100 lie inside a box of the ziggurat.
        if abs(x) >= EDGES[box + ONE]:
            if box == 0:
                # In the tail: draw this number again.
                state[0] = place - GOLDEN
                x = draw_normal(state)
                place = state[0]
            else:
                # In a wedge. Half of these are rejected, at random: no branch, which would be mispredicted.
                place += GOLDEN
                u = np.int64(mix_bits(place) >> S11) * TO_UNIT
                low = DENSITY[box]
                found = np.int64(low + u * (DENSITY[box + ONE] - low) < np.exp(-0.5 * x * x))
        z[j] = round_to_int(x * UNITS)
        j += found
    state[0] = place


@part
def draw_storage_label(state):
    return np.int32(1) if draw_uniform(state) >= 0.5 else np.int32(-1)


@entry
def draw_set(seed, repeat, state, Z):
    """Fill Z = S xi: the inputs row by row, then the labels, from the stream DATA."""
    P, N = Z.shape
    seed_stream(state, seed, N, P, repeat, DATA)
    draw_inputs(state, Z.reshape(P * N))
    for mu in range(P):
        S = draw_storage_label(state)
        for j in range(N):
            Z[mu, j] *= S
