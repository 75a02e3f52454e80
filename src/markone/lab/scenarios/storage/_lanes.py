"""Random labels, LANES sets side by side: Rosenblatt in int32 and float32, with exact mistakes.

In units of the inputs weights are whole numbers and int32 holds them without rounding. A potential in
float32 is wrong by its own sum only; where that could change its sign it is done again in int64, which is
exact. So the mistakes are those of the algorithm in real arithmetic. Should a weight outgrow int32, its
set is learned again in float64.
"""

import math

import numpy as np

from markone.lab.scenarios.storage._inputs import draw_inputs, draw_set, label
from markone.lab.scenarios.storage._storage import learn
from markone.lab.scenarios.storage._vectors import LANES, present, turn
from markone.numerics._streams import DATA, key
from markone.numerics.compiling import entry, part

EPS_32 = 2.0**-24
# |z| < 2^24 units: a weight below 2^30 stays in int32 for 60 updates and one pending.
LIMIT, STRIDE = 2**30, 60
# Largest P N whose sets side by side stay in the cache: beyond, one at a time is faster (measured).
SIDE_BY_SIDE = 50_000
# Numbers drawn at a time: those of all lanes stay in the first cache.
CHUNK = 256


@part
def doubt(N, M, longest):
    """A bound on the rounding of E in float32 after M updates, `longest` the largest |z|^2.

    |w|^2 <= M max |z|^2, since an update at E <= 0 adds |z|^2 at the most; and a sum of N products of
    rounded numbers is wrong by less than (N + 3) eps |w| |z|, in any order.
    """
    return np.float32(1.01 * (N + 3) * EPS_32 * math.sqrt(M) * longest)


@part
def exact(Z, here, w, N, lane):
    """E of one lane in whole numbers. A doubtful E is small: int64 holds it, should a part of the sum not."""
    E = np.int64(0)
    for j in range(N):
        E += np.int64(Z[(here * N + j) * LANES + lane]) * np.int64(w[j * LANES + lane])
    return E


@part
def correct(Z, here, w, N, E, bound, pending, learning, mistakes):
    """Decide again, exactly, where float32 leaves a doubt."""
    for lane in range(LANES):
        if abs(E[lane]) < bound[lane]:
            wrong = exact(Z, here, w, N, lane) <= 0
            mistakes[lane] += np.int32(wrong) - np.int32(E[lane] <= 0)
            pending[lane] = learning[lane] if wrong else np.int32(0)


@entry
def fill(seed, first, new, Z, w, longest, states, turned, z):
    """Draw sets first, first + 1, ... into the lanes `new`, in turn so that neighbours meet in the cache.

    `states`, `turned` and `z` are room to work in.
    """
    N = w.shape[0] // LANES
    P = turned.shape[0]
    turned[:] = 0
    for k in range(new.shape[0]):
        key(states[k], seed, N, P, first + k, DATA)
        longest[new[k]] = np.float32(0.0)
        for j in range(N):
            w[j * LANES + new[k]] = 0
    for i in range(0, P * N, CHUNK):
        n = min(CHUNK, P * N - i)
        for k in range(new.shape[0]):
            draw_inputs(states[k], z[:n])
            lane = Z[i * LANES + new[k] :]
            for j in range(n):
                lane[j * LANES] = z[j]
    for k in range(new.shape[0]):
        for mu in range(P):
            turned[mu, new[k]] = np.int32(label(states[k]) >> 1)
    for mu in range(P):
        turn(Z, mu, w, turned[mu], longest)


@part
def largest(w):
    """max |w|, or one less."""
    bits = np.int32(0)
    for i in range(w.shape[0]):
        bits |= w[i] ^ (w[i] >> 31)
    return bits


@entry
def learn_apart(seed, repeat, P, N, sweeps):
    """The set of one lane, drawn and learned again in float64."""
    state, Z = np.empty(1, np.uint64), np.empty((P, N), np.int32)
    draw_set(seed, repeat, state, Z)
    return learn(Z, np.empty(N), sweeps)


@entry
def side_by_side(seed, start, P, N, sweeps, limit, converged, used, updates):
    """The same numbers as `one_by_one`. A lane whose set is done takes the next one.

    A set with a weight of `limit` (a power of two, LIMIT at the most) is learned in float64.
    """
    n_sets = converged.shape[0]
    Z, w = np.zeros(P * N * LANES, np.int32), np.zeros(N * LANES, np.int32)
    E, bound, longest = np.zeros(LANES, np.float32), np.zeros(LANES, np.float32), np.zeros(LANES, np.float32)
    pending, learning = np.zeros(LANES, np.int32), np.zeros(LANES, np.int32)
    mistakes, turned = np.zeros(LANES, np.int32), np.empty((P, LANES), np.int32)
    sweep, M, place = np.full(LANES, sweeps), np.zeros(LANES, np.int64), np.full(LANES, -1)
    states, z = np.empty((LANES, 1), np.uint64), np.empty(CHUNK, np.int32)
    allowed, new = np.zeros(LANES, np.int64), np.arange(LANES)
    n_new, taken, done, since = LANES, 0, 0, 0
    while done < n_sets:
        # A lane without a set (place -1) runs on, and learns nothing.
        n_new = min(n_new, n_sets - taken)
        if n_new > 0:
            fill(seed, start + taken, new[:n_new], Z, w, longest, states, turned, z)
            for k in range(n_new):
                lane = new[k]
                place[lane], sweep[lane], M[lane], allowed[lane] = taken + k, 0, 0, 0
                learning[lane], pending[lane] = -1, 0
            taken += n_new
        renew = 0
        for lane in range(LANES):
            mistakes[lane] = 0
            renew += M[lane] + P > allowed[lane]
        for lane in range(LANES if renew > 0 else 0):
            # Twice as many updates as this sweep can bring: a root now and then, not at every sweep.
            if M[lane] + P > allowed[lane]:
                allowed[lane] = 2 * (M[lane] + P)
                bound[lane] = doubt(N, allowed[lane], longest[lane])
        before = P - 1
        for mu in range(P):
            since += 1
            if since > STRIDE:
                since = 1
                for lane in range(LANES if largest(w) >= limit else 0):
                    k = place[lane]
                    if k >= 0 and largest(w[lane::LANES]) >= limit:
                        converged[k], used[k], updates[k] = learn_apart(seed, start + k, P, N, sweeps)
                        w[lane::LANES] = 0
                        place[lane], sweep[lane], learning[lane], pending[lane] = -1, sweeps, 0, 0
                        done += 1
            if present(Z, mu, before, w, E, bound, pending, learning, mistakes):
                correct(Z, mu, w, N, E, bound, pending, learning, mistakes)
            before = mu
        n_new, ended = 0, 0
        for lane in range(LANES):
            ended += (mistakes[lane] == 0) | (sweep[lane] >= sweeps)
        for lane in range(LANES if ended > 0 else 0):
            if mistakes[lane] == 0 or sweep[lane] >= sweeps:
                k = place[lane]
                if k >= 0:
                    converged[k] = 1.0 if mistakes[lane] == 0 else 0.0
                    used[k], updates[k] = sweep[lane], M[lane]
                    done += 1
                place[lane], sweep[lane] = -1, sweeps
                new[n_new] = lane
                n_new += 1
        for lane in range(LANES):
            M[lane] += mistakes[lane]
            sweep[lane] += 1
            learning[lane] = -1 if sweep[lane] < sweeps else 0
