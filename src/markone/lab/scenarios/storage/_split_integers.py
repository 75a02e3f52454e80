"""Random labels with many inputs, one set at a time: Rosenblatt in int16, int32 and float32, exactly.

Large sets are memory bound. Each input is stored as 256 high + low, and a potential reads the high part
only: two bytes instead of eight. Where that, or rounding, could change its sign it is recomputed with both
parts in int64, which is exact. Weights are integers in int32. So the mistakes are those of the algorithm in
real arithmetic. A set out of range is learned in float64.
"""

import math

import numpy as np

from markone.lab.scenarios.storage._inputs import draw_inputs, draw_storage_label
from markone.lab.scenarios.storage._lanes import EPS_32, magnitude_bits
from markone.lab.scenarios.storage._one_set import learn_in_float64
from markone.numerics._random import DATA, seed_stream
from markone.numerics.compiling import entry, part

# |z| < 2^23 units: a weight below 2^30 stays in int32 for 100 updates.
STRIDE = 100


@part
def split_inputs(z, high, low):
    """Split z = 256 high + low; return |z|^2, or -1 if a number is too large for int16 (|xi| >= 8)."""
    square, top = 0.0, np.int32(0)
    for j in range(z.shape[0]):
        upper = (z[j] + 128) >> 8
        high[j], low[j] = upper, z[j] - 256 * upper
        square += float(z[j]) * float(z[j])
        top |= upper ^ (upper >> 31)
    return square if top < 2**15 else -1.0


@part
def draw_halves(seed, repeat, state, z, high, low, square, S):
    """Draw inputs and labels as in `draw_set`; False if a number is out of range."""
    P, N = high.shape
    seed_stream(state, seed, N, P, repeat, DATA)
    for mu in range(P):
        draw_inputs(state, z)
        square[mu] = split_inputs(z, high[mu], low[mu])
    fits = True
    for mu in range(P):
        S[mu] = draw_storage_label(state)
        fits = fits and square[mu] >= 0.0
    return fits


@part
def approximate_potential(z, w):
    E = np.float32(0.0)
    for j in range(w.shape[0]):
        E += np.float32(z[j]) * np.float32(w[j])
    return E


@part
def exact_split_potential(high, low, w):
    E = np.int64(0)
    for j in range(w.shape[0]):
        E += np.int64(w[j]) * ((np.int64(high[j]) << 8) + low[j])
    return E


@part
def update_split_weights(high, low, S, w):
    """w += S xi"""
    for j in range(w.shape[0]):
        w[j] = np.int32(w[j] + S * (256 * high[j] + low[j]))


@part
def potential_error_bound(N, square):
    """A bound on the error of 256 w . high, over |w|.

    Half a unit of `high` for each input, and the rounding of a sum of N products, in any order.
    """
    half = 128.0 * math.sqrt(N)
    return 1.01 * (half + (N + 3) * EPS_32 * (math.sqrt(np.max(square)) + half))


@entry
def learn_halves(high, low, square, S, sweeps, limit):
    """Return (converged, sweeps used, updates, whether the weights stayed in range).

    |w|^2 grows by 2 E + |z|^2 with each update: `norm` is an upper bound of it.
    """
    P, N = high.shape
    w = np.zeros(N, np.int32)
    relative, norm, error, M = potential_error_bound(N, square), 0.0, 0.0, 0
    for sweep in range(sweeps + 1):
        last = M
        for mu in range(P):
            E = 256.0 * S[mu] * approximate_potential(high[mu], w)
            wrong = E <= 0.0
            if abs(E) <= error:
                wrong = S[mu] * exact_split_potential(high[mu], low[mu], w) <= 0
            if wrong:
                if sweep == sweeps:
                    return 0.0, sweeps, M, True
                M += 1
                update_split_weights(high[mu], low[mu], np.int32(S[mu]), w)
                norm += 2.0 * min(E + error, 0.0) + square[mu]
                error = relative * math.sqrt(norm)
                if M % STRIDE == 0 and magnitude_bits(w) >= limit:
                    return 0.0, sweep, M, False
        if last == M:
            return 1.0, sweep, M, True
    return 0.0, sweeps, M, True


@entry
def learn_in_halves(seed, start, P, N, sweeps, limit, converged, used, updates):
    """Same results as `learn_in_float64`."""
    state, z = np.empty(1, np.uint64), np.empty(N, np.int32)
    high, low = np.empty((P, N), np.int16), np.empty((P, N), np.int8)
    square, S = np.empty(P), np.empty(P, np.int32)
    for k in range(converged.shape[0]):
        ended = False
        if draw_halves(seed, start + k, state, z, high, low, square, S):
            converged[k], used[k], updates[k], ended = learn_halves(high, low, square, S, sweeps, limit)
        if not ended:
            converged[k], used[k], updates[k] = learn_in_float64(seed, start + k, P, N, sweeps)
