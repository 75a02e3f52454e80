"""Two classes in the plane, and a linear or hard-limited unit that learns them   (seed 002).

Seed 002 shows pictures and no generators. The four kinds keep what its words say: `halo` and `dense`
can be separated by a line (two discs that do not touch), `arcs` and `rings` cannot, but by a curve
(Example 1, "dense" clusters with a "large" separation: two thin interlocked half circles; Example 2,
"sparse" with "little": a core and a ring around it, with a gap of 0.1). Coordinates are of order one
and the mean over both classes is zero.
"""

import math

import numpy as np

from markone.numerics._random import uniform
from markone.numerics._streams import DATA, TRAINING, key
from markone.numerics.compiling import entry, part
from markone.perceptron._lms import learn

HALO, DENSE, ARCS, RINGS = 0, 1, 2, 3


@part
def disc(state, radius):
    """A point of a disc, by area."""
    r, angle = radius * math.sqrt(uniform(state)), 2.0 * math.pi * uniform(state)
    return r * math.cos(angle), r * math.sin(angle)


@part
def point(state, kind, S):
    """One point of class S = +-1."""
    if kind == HALO:
        # Centres (1, 1) and (-1, -1), radius 0.5.
        a, b = disc(state, 0.5)
        return a + S, b + S
    if kind == DENSE:
        # The same centres, radius 1.3: the gap is 2 (sqrt 2 - 1.3) = 0.23.
        a, b = disc(state, 1.3)
        return a + S, b + S
    if kind == ARCS:
        # Half circles of radius 1, shifted by -+(0.5, 0.25), each of thickness 0.3: the gap is 0.33.
        angle = math.pi * uniform(state)
        r = 1.0 + 0.3 * (uniform(state) - 0.5)
        return S * (r * math.cos(angle) - 0.5), S * (r * math.sin(angle) - 0.25)
    # A core of radius 0.9 and a ring from 1 to 2, by area.
    inner, outer = (0.0, 0.9) if S > 0.0 else (1.0, 2.0)
    r = math.sqrt(inner * inner + (outer * outer - inner * inner) * uniform(state))
    angle = 2.0 * math.pi * uniform(state)
    return r * math.cos(angle), r * math.sin(angle)


@entry
def two_classes(seed, P, repeat, kind, X, S):
    """Rows (-1, x1, x2), so that w = (theta, w1, w2); the classes take turns."""
    state = np.empty(1, np.uint64)
    key(state, seed, 2, P, repeat, DATA)
    for mu in range(P):
        S[mu] = 1.0 if mu % 2 == 0 else -1.0
        X[mu, 0] = -1.0
        X[mu, 1], X[mu, 2] = point(state, kind, S[mu])


@entry
def wiener(X, S):
    """The weights of least mean square: (sum x x^T) w = sum S x."""
    A, b = np.zeros((3, 3)), np.zeros(3)
    for mu in range(X.shape[0]):
        for i in range(3):
            b[i] += S[mu] * X[mu, i]
            for j in range(3):
                A[i, j] += X[mu, i] * X[mu, j]
    return np.linalg.solve(A, b)


@part
def finite(value):
    """Infinity for what overflowed: a rate that diverges."""
    return value if value < math.inf else math.inf


@entry
def measure(X, S, w, hard, out):
    """mse of the unit's output, wiener_mse of the best linear unit, excess, errors."""
    P = X.shape[0]
    best = wiener(X, S)
    total, least, wrong = 0.0, 0.0, 0
    for mu in range(P):
        y = X[mu, 0] * w[0] + X[mu, 1] * w[1] + X[mu, 2] * w[2]
        sign = 1.0 if y >= 0.0 else -1.0
        total += (S[mu] - (sign if hard else y)) ** 2
        least += (S[mu] - X[mu, 0] * best[0] - X[mu, 1] * best[1] - X[mu, 2] * best[2]) ** 2
        wrong += sign != S[mu]
    out[0], out[1], out[3] = finite(total / P), least / P, wrong / P
    out[2] = out[0] - out[1]


@entry
def train(
    seed, repeat, P, kind, hard, schedule, eta, relative, tau, per_epoch, epochs, order, X, S, turn, state, w
):
    """Draws the data into X, S and learns w from zero; returns the updates.

    relative: 0 eta as it is, 1 in units of 2/trace(sum x x^T), 2 of 2/trace(mean).
    """
    two_classes(seed, P, repeat, kind, X, S)
    key(state, seed, 2, P, repeat, TRAINING)
    turn[:] = np.arange(P)
    w[:] = 0.0
    rate = eta
    if relative > 0:
        rate *= 2.0 / (X * X).sum() * (P if relative == 2 else 1)
    return learn(X, S, w, hard, schedule, rate, tau, per_epoch, 0, epochs, order, turn, state)[1]


@entry
def lms(seed, start, stop, P, kind, hard, schedule, eta, relative, tau, per_epoch, epochs, order):
    """A row of measures for each repeat."""
    out = np.empty((stop - start, 5))
    X, S, turn, state, w = np.empty((P, 3)), np.empty(P), np.arange(P), np.empty(1, np.uint64), np.empty(3)
    for k in range(stop - start):
        out[k, 4] = train(
            seed, start + k, P, kind, hard, schedule, eta, relative, tau, per_epoch, epochs, order,
            X, S, turn, state, w,
        )  # fmt: skip
        measure(X, S, w, hard, out[k])
    return out
