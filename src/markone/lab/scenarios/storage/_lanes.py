"""Random labels, LANES sets in SIMD lanes: Rosenblatt in int32 and float32, with exact mistakes.

In units of the inputs weights are integers and exact in int32. A potential in float32 has the rounding error
of its sum only; where that could change its sign it is recomputed in int64, which is exact. So the mistakes
are those of the algorithm in real arithmetic. If a weight exceeds int32, its set is learned again in float64.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from markone.lab.scenarios.storage._inputs import draw_inputs, draw_storage_label
from markone.lab.scenarios.storage._one_set import learn_in_float64
from markone.lab.scenarios.storage._vector_code import LANES, apply_labels, present_example
from markone.numerics._random import DATA, seed_stream
from markone.numerics.compiling import entry, loop_piece, part

EPS_32 = 2.0**-24
# |z| < 2^24 units: a weight below 2^30 stays in int32 for 60 updates and one pending.
LIMIT, STRIDE = 2**30, 60
# Largest P N whose sets fit into the cache together: beyond, one at a time is faster (measured).
SIDE_BY_SIDE = 50_000
# Largest P N for which a second group of lanes pays.
IN_BETWEEN = 400
# Numbers drawn at a time: those of all lanes fit into the L1 cache.
CHUNK = 256


@part
def float32_error_bound(N, M, longest):
    """A bound on the rounding of E in float32 after M updates, `longest` the largest |z|^2.

    |w|^2 <= M max |z|^2, since an update at E <= 0 adds |z|^2 at most; and a sum of N products of
    rounded numbers has an error below (N + 3) eps |w| |z|, in any order.
    """
    return np.float32(1.01 * (N + 3) * EPS_32 * math.sqrt(M) * longest)


@part
def exact_lane_potential(Z, here, w, N, group, lane):
    """E of one lane in integers. An uncertain E is small: it fits int64 even if partial sums wrap around."""
    E = np.int64(0)
    for j in range(N):
        z, weight = Z[(here * N + j) * LANES + lane], w[(group * N + j) * LANES + lane]
        E += np.int64(z) * np.int64(weight)
    return E


@part
def correct_mistakes(Z, here, w, N, group, E, bound, pending, learning, mistakes):
    """Recompute exactly the mistakes that are uncertain in float32."""
    for lane in range(LANES):
        k = group * LANES + lane
        if abs(E[k]) < bound[k]:
            wrong = exact_lane_potential(Z, here, w, N, group, lane) <= 0
            mistakes[k] += np.int32(wrong) - np.int32(E[k] <= 0)
            pending[k] = learning[k] if wrong else np.int32(0)


@part
def lane_weights(w, N, k):
    """Weights of one lane, as a view."""
    start = k // LANES * N * LANES
    return w[start + k % LANES : start + N * LANES : LANES]


@entry
def fill_lanes(seed, first, new, Z, w, N, longest, states, turned, z):
    """Draw sets first, first + 1, ... into the lanes `new`, in chunks: adjacent lanes share cache lines.

    `states`, `turned` and `z` are work arrays.
    """
    P = turned.shape[0] // LANES
    for k in range(new.shape[0]):
        seed_stream(states[k], seed, N, P, first + k, DATA)
        longest[new[k]] = np.float32(0.0)
        lane_weights(w, N, new[k])[:] = 0
    for i in range(0, P * N, CHUNK):
        n = min(CHUNK, P * N - i)
        for k in range(new.shape[0]):
            draw_inputs(states[k], z[:n])
            lane = Z[(new[k] // LANES * P * N + i) * LANES + new[k] % LANES :]
            for j in range(n):
                lane[j * LANES] = z[j]
    for group in range(longest.shape[0] // LANES):
        turned[:] = 0
        n = 0
        for k in range(new.shape[0]):
            if new[k] // LANES == group:
                n += 1
                for mu in range(P):
                    turned[mu * LANES + new[k] % LANES] = draw_storage_label(states[k]) >> 1
        for mu in range(P if n > 0 else 0):
            apply_labels(Z, group * P + mu, N, turned, mu, longest, group)


@part
def magnitude_bits(w):
    """Bitwise or of |w| (|w| - 1 for negative ones): >= 2^k if and only if one of them is."""
    bits = np.int32(0)
    for i in range(w.shape[0]):
        bits |= w[i] ^ (w[i] >> 31)
    return bits


@part
def aligned_zeros(n):
    """Zeros, aligned to a cache line: unaligned vectors are slower to load."""
    buffer = np.zeros(n + LANES, np.int32)
    first = -buffer.ctypes.data % 64 // 4
    return buffer[first : first + n]


class Lanes(NamedTuple):
    """What is kept for each lane, its set being `place` (-1: none, it continues without updates)."""

    E: Any
    bound: Any
    longest: Any
    # -1 (all bits) or 0: the update that the next example brings, and whether the lane learns.
    pending: Any
    learning: Any
    mistakes: Any
    place: Any
    sweep: Any
    M: Any
    # Number of updates that `bound` allows.
    allowed: Any


@part
def empty_lanes(lanes, sweeps):
    """Lanes without a set."""
    return Lanes(
        np.zeros(lanes, np.float32),
        np.zeros(lanes, np.float32),
        np.zeros(lanes, np.float32),
        np.zeros(lanes, np.int32),
        np.zeros(lanes, np.int32),
        np.zeros(lanes, np.int32),
        np.full(lanes, -1),
        np.full(lanes, sweeps),
        np.zeros(lanes, np.int64),
        np.zeros(lanes, np.int64),
    )


@loop_piece
def begin_sets(here, new, taken):
    """Begin sets taken, taken + 1, ... in the lanes `new`."""
    for k in range(new.shape[0]):
        lane = new[k]
        here.place[lane], here.sweep[lane], here.M[lane], here.allowed[lane] = taken + k, 0, 0, 0
        here.learning[lane], here.pending[lane] = -1, 0


@loop_piece
def renew_bounds(here, P, N):
    """Bounds for twice as many updates as this sweep allows: they are not renewed at every sweep."""
    for lane in range(here.M.shape[0]):
        if here.M[lane] + P > here.allowed[lane]:
            here.allowed[lane] = 2 * (here.M[lane] + P)
            here.bound[lane] = float32_error_bound(N, here.allowed[lane], here.longest[lane])


@part
def relearn_large_sets(here, w, seed, start, P, N, sweeps, limit, results):
    """Learn the sets with a weight of `limit` in float64. Return their number."""
    done = 0
    for lane in range(here.place.shape[0]):
        k, own = here.place[lane], lane_weights(w, N, lane)
        if k >= 0 and magnitude_bits(own) >= limit:
            results[0][k], results[1][k], results[2][k] = learn_in_float64(seed, start + k, P, N, sweeps)
            own[:] = 0
            here.place[lane], here.sweep[lane] = -1, sweeps
            here.learning[lane], here.pending[lane] = 0, 0
            done += 1
    return done


@loop_piece
def end_sweep(here, P, sweeps, new, results):
    """Results of the sets that are done, their lanes into `new`. Return (done, number of lanes, renew)."""
    done, n_new, renew = 0, 0, 0
    for lane in range(here.place.shape[0]):
        right = here.mistakes[lane] == 0
        if right or here.sweep[lane] >= sweeps:
            k = here.place[lane]
            if k >= 0:
                results[0][k] = 1.0 if right else 0.0
                results[1][k], results[2][k] = here.sweep[lane], here.M[lane]
                done += 1
            here.place[lane], here.sweep[lane] = -1, sweeps
            new[n_new] = lane
            n_new += 1
    for lane in range(here.place.shape[0]):
        here.M[lane] += here.mistakes[lane]
        here.mistakes[lane] = 0
        here.sweep[lane] += 1
        here.learning[lane] = -1 if here.sweep[lane] < sweeps else 0
        renew += here.M[lane] + P > here.allowed[lane]
    return done, n_new, renew


@entry
def learn_in_lanes(seed, start, P, N, sweeps, limit, converged, used, updates):
    """Same results as `learn_in_float64`. A lane whose set is done takes the next one.

    A set with a weight of `limit` (a power of two, LIMIT at the most) is learned in float64.
    """
    n_sets, results = converged.shape[0], (converged, used, updates)
    # An example of few inputs is over before the next could begin, which waits for its update: another group
    # of lanes goes in between.
    groups = 2 if P * N <= IN_BETWEEN else 1
    lanes = groups * LANES
    Z, w = aligned_zeros(groups * P * N * LANES), aligned_zeros(groups * N * LANES)
    here = empty_lanes(lanes, sweeps)
    E, bound, pending, learning, mistakes = here.E, here.bound, here.pending, here.learning, here.mistakes
    turned, states, z = (
        np.empty(P * LANES, np.int32),
        np.empty((lanes, 1), np.uint64),
        np.empty(CHUNK, np.int32),
    )
    new, n_new, taken, done, since, renew = np.arange(lanes), lanes, 0, 0, 0, 1
    while done < n_sets:
        n_new = min(n_new, n_sets - taken)
        if n_new > 0:
            fill_lanes(seed, start + taken, new[:n_new], Z, w, N, here.longest, states, turned, z)
            begin_sets(here, new[:n_new], taken)
            taken += n_new
            renew = 1
        if renew > 0:
            renew_bounds(here, P, N)
        before = P - 1
        for mu in range(P):
            since += 1
            if since > STRIDE:
                since = 1
                if magnitude_bits(w) >= limit:
                    done += relearn_large_sets(here, w, seed, start, P, N, sweeps, limit, results)
            for group in range(groups):
                row, last = group * P + mu, group * P + before
                if present_example(Z, row, last, w, N, group, E, bound, pending, learning, mistakes):
                    correct_mistakes(Z, row, w, N, group, E, bound, pending, learning, mistakes)
            before = mu
        ended, n_new, renew = end_sweep(here, P, sweeps, new, results)
        done += ended
