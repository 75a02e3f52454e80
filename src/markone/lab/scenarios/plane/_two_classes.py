"""Linear and hard-limited units trained on two classes in the plane   (the LMS report)."""

import math

import numpy as np

from markone.data._two_classes import fill_two_classes
from markone.numerics._random import TRAINING, seed_stream
from markone.numerics._rows import squared_norms
from markone.numerics._vectors import sum_values
from markone.numerics.compiling import entry, part
from markone.perceptron.base._loops import ExampleOrder
from markone.perceptron.online._lms import RateSchedule, learn_delta_rule

UNTIL_CORRECT = -1  # order of presentation: each example until it is classified correctly
MAX_PRESENTATIONS = 1_000_000  # of one example in a row


# The order of summation is left to the compiler, so these are parts of the entry that calls them: as separate
# entries, freshly compiled code and code from the cache could differ in the last bit.
@part
def wiener_weights(X, S):
    """Weights of least mean squared error: (sum x x^T) w = sum S x."""
    A, b = np.zeros((3, 3)), np.zeros(3)
    for mu in range(X.shape[0]):
        for i in range(3):
            b[i] += S[mu] * X[mu, i]
            for j in range(3):
                A[i, j] += X[mu, i] * X[mu, j]
    return np.linalg.solve(A, b)


@part
def clip_overflow(value):
    """Replace NaN after an overflow (a diverging rate) by infinity."""
    return value if value < math.inf else math.inf


@part
def measure_unit(X, S, w, hard, out):
    """Fill `out` with the mse of the unit's output, wiener_mse of the best linear unit, excess, errors."""
    P = X.shape[0]
    best = wiener_weights(X, S)
    total, least, wrong = 0.0, 0.0, 0
    for mu in range(P):
        y = X[mu, 0] * w[0] + X[mu, 1] * w[1] + X[mu, 2] * w[2]
        sign = 1.0 if y >= 0.0 else -1.0
        total += (S[mu] - (sign if hard else y)) ** 2
        least += (S[mu] - X[mu, 0] * best[0] - X[mu, 1] * best[1] - X[mu, 2] * best[2]) ** 2
        wrong += sign != S[mu]
    out[0], out[1], out[3] = clip_overflow(total / P), least / P, wrong / P
    out[2] = out[0] - out[1]


@part
def learn_until_correct(X, S, w, eta, epochs):
    """The perceptron rule, each example presented until it is classified correctly; return the updates."""
    updates = 0
    for _ in range(epochs):
        last = 0
        for mu in range(X.shape[0]):
            for _ in range(MAX_PRESENTATIONS):
                y = X[mu, 0] * w[0] + X[mu, 1] * w[1] + X[mu, 2] * w[2]
                if (y >= 0.0) == (S[mu] > 0.0):
                    break
                for i in range(3):
                    w[i] += 2.0 * eta * S[mu] * X[mu, i]
                last += 1
        updates += last
        if last == 0:
            break
    return updates


@entry
def train_unit(
    seed, repeat, P, kind, hard, schedule, eta, relative, tau, per_epoch, epochs, order, X, S, turn, state, w
):
    """Draw the data into X, S and learn w from zero; return the number of updates.

    relative: unit of eta; 0: one, 1: 2/trace(sum x x^T), 2: 2/trace(mean x x^T).
    """
    fill_two_classes(seed, P, repeat, kind, X, S)
    seed_stream(state, seed, 2, P, repeat, TRAINING)
    turn[:] = np.arange(P)
    w[:] = 0.0
    rate = eta
    if relative > 0:
        rate *= 2.0 / sum_values(squared_norms(X)) * (P if relative == 2 else 1)
    if order == UNTIL_CORRECT:
        return learn_until_correct(X, S, w, rate, epochs)
    rates, turns = RateSchedule(schedule, rate, tau, per_epoch), ExampleOrder(order, turn, state)
    return learn_delta_rule(X, S, w, hard, rates, 0, epochs, turns)[1]


@entry
def train_unit_block(
    seed, start, stop, P, kind, hard, schedule, eta, relative, tau, per_epoch, epochs, order
):
    """Return a row of measures for each repeat."""
    out = np.empty((stop - start, 5))
    X, S, turn, state, w = np.empty((P, 3)), np.empty(P), np.arange(P), np.empty(1, np.uint64), np.empty(3)
    for k in range(stop - start):
        out[k, 4] = train_unit(
            seed, start + k, P, kind, hard, schedule, eta, relative, tau, per_epoch, epochs, order,
            X, S, turn, state, w,
        )  # fmt: skip
        measure_unit(X, S, w, hard, out[k])
    return out


@entry
def learn_lms(X, S, eta, falling, passes, w, last):
    """Update w in place and fill `last` (P, 3). falling: rate eta/(1 + n/10) in pass n instead of eta."""
    for n in range(passes):
        rate = eta / (1.0 + n / 10.0) if falling else eta
        for mu in range(X.shape[0]):
            y = X[mu, 0] * w[0] + X[mu, 1] * w[1] + X[mu, 2] * w[2]
            step = rate * (S[mu] - y)
            for j in range(3):
                w[j] += step * X[mu, j]
                last[mu, j] = w[j]
