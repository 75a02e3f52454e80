"""The students of the plane, step by step, for a page without a server: `web.offline.wasm` compiles this.

Each entry runs the loop that the estimator records, with the settings of `presentations.make_plane_student`,
and writes one row for each presentation into `out`; row 0 is the initial state. It returns the number of
rows, negative if the student has not converged. setting: eta, c, the largest strength C N; state: the seed.
The rows are those of `presentations.yield_presentation_rows`.
"""

import math

import numpy as np

from markone.base._recording import BEFORE, COLUMNS, EVENTS, EXAMPLE, UPDATES, Log
from markone.numerics._random import CYCLIC
from markone.numerics._rows import add_example, dot_example, squared_norms
from markone.numerics._vectors import copy_array, dot_product, sum_values
from markone.numerics.compiling import entry, part
from markone.perceptron.base._loops import ExampleOrder, LoopSettings
from markone.perceptron.online._lms import SEARCH_THEN_CONVERGE, RateSchedule, learn_delta_rule
from markone.perceptron.online._online import HEBB, learn_online
from markone.perceptron.students._adatron import adaline_w, adatron_w
from markone.perceptron.students._minover import GAP, minover
from markone.perceptron.students._pocket import count_wrong_examples, pocket_exact
from markone.perceptron.students._rosenblatt import rosenblatt_w

# Columns of `out` that are found here, behind four of the log: example, E, updates and the strength.
STRENGTH, KAPPA, NEAREST, UPPER, ERRORS, NORM, WEIGHTS = 3, 4, 5, 6, 7, 8, 9
# Tolerances of Adaline, LMS, MinOver and AdaTron; tau of LMS; epochs between two certificates of AdaTron.
STILL, SETTLED, GAP_TOL, DUALITY_GAP, TAU, BLOCK = 1e-9, 1e-6, 1e-3, 1e-6, 10.0, 10


@part
def new_plane_log(rows, first, second):
    """A log in which every presentation is an event."""
    clock = np.zeros(6, np.int64)
    clock[2], clock[5] = 1, 1
    return Log(
        np.zeros((rows + 1, COLUMNS)), np.zeros((rows + 1, first)), np.zeros((rows + 1, second)), clock
    )


@part
def write_weights(X, S, x, w):
    """w = sum_mu x^mu S^mu xi^mu, for x > 0: N times the weights (3.13). Returns the sum of x."""
    total = 0.0
    for j in range(w.shape[0]):
        w[j] = 0.0
    for mu in range(X.shape[0]):
        if x[mu] > 0.0:
            total += x[mu]
            add_example(X, mu, x[mu] * S[mu], w)
    return total


@part
def find_lowest(X, S, w):
    """min_mu E^mu"""
    lowest = np.inf
    for mu in range(X.shape[0]):
        lowest = min(lowest, S[mu] * dot_example(X, mu, w))
    return lowest


@part
def write_rows(X, S, log, weighed, bounded, out):
    """Rows of all steps. weighed: `first` holds weights, not strengths; bounded: `second` holds strengths."""
    N, steps = X.shape[1], log.clock[EVENTS]
    w, embedded = np.zeros(N), np.zeros(N)
    for t in range(steps + 1):
        row, total = out[t], 0.0
        row[0], row[1], row[2], row[STRENGTH], row[UPPER] = -1.0, np.nan, 0.0, np.nan, np.nan
        if t > 0:
            step, first = log.rows[t - 1], log.first[t - 1]
            row[0], row[1], row[2] = step[EXAMPLE], step[BEFORE], step[UPDATES]
            if bounded:
                total = write_weights(X, S, log.second[t - 1], embedded)
                row[STRENGTH] = (log.second[t - 1] if weighed else first)[np.int64(step[EXAMPLE])]
            if total > 0.0:
                row[UPPER] = math.sqrt(dot_product(embedded, embedded)) / total
            for j in range(N):
                w[j] = first[j] if weighed else embedded[j] / N
        size = math.sqrt(dot_product(w, w))
        in_plane = math.sqrt(w[0] * w[0] + w[1] * w[1])
        row[KAPPA] = find_lowest(X, S, w) / size if size > 0.0 else np.nan
        # Distance of the nearest example from the line: |w| without the threshold.
        row[NEAREST] = row[KAPPA] * size / in_plane if in_plane > 0.0 else np.nan
        row[ERRORS], row[NORM] = count_wrong_examples(X, S, w, X.shape[0] + 1), size
        for j in range(N):
            row[WEIGHTS + j] = w[j]
    return steps + 1


@entry
def rosenblatt_steps(X, S, setting, state, out):
    P, N = X.shape
    log = new_plane_log(out.shape[0], N, P)
    w, x, gamma, turn = np.zeros(N), np.zeros(P), np.full(P, np.inf), np.arange(P)
    settings, turns = LoopSettings(setting[0], setting[1], gamma, 0.0), ExampleOrder(CYCLIC, turn, state)
    epochs = (out.shape[0] - 1) // P
    learned = rosenblatt_w(X, S, squared_norms(X) / N, w, x, settings, epochs, turns, log)[2]
    rows = write_rows(X, S, log, True, True, out)
    return rows if learned else -rows


@entry
def adaline_steps(X, S, setting, state, out):
    P, N = X.shape
    log = new_plane_log(out.shape[0], N, P)
    w, x, gamma, turn = np.zeros(N), np.zeros(P), np.full(P, np.inf), np.arange(P)
    settings, turns = LoopSettings(setting[0], 0.0, gamma, STILL), ExampleOrder(CYCLIC, turn, state)
    epochs = (out.shape[0] - 1) // P
    settled = adaline_w(X, S, squared_norms(X) / N, w, x, settings, epochs, turns, log)[2]
    rows = write_rows(X, S, log, True, True, out)
    return rows if settled else -rows


@part
def certified_gap(X, S, w, x, limit):
    """(upper - lower) / upper of the stability; with a finite limit (primal - dual) / primal (4.3), (4.5)."""
    N, size, total = X.shape[1], math.sqrt(dot_product(w, w)), sum_values(x)
    if limit == np.inf:
        upper = N * size / total
        return (upper - find_lowest(X, S, w) / size) / upper if size > 0.0 else np.inf
    energy = N / 2 * size * size
    primal = energy
    for mu in range(X.shape[0]):
        primal += limit * max(1.0 - S[mu] * dot_example(X, mu, w), 0.0)
    return (primal - (total - energy)) / primal if primal > 0.0 else 0.0


@entry
def adatron_steps(X, S, setting, state, out):
    P, N = X.shape
    log = new_plane_log(out.shape[0], N, P)
    w, x, h, limit = np.zeros(N), np.zeros(P), squared_norms(X) / N, setting[2]
    gamma, turn = np.full(P, limit), np.arange(P)
    settings, turns = LoopSettings(setting[0], 0.0, gamma, -1.0), ExampleOrder(CYCLIC, turn, state)
    left, gap = (out.shape[0] - 1) // P, np.inf
    while left > 0 and not gap <= DUALITY_GAP:
        epochs = min(left, BLOCK)
        adatron_w(X, S, h, w, x, settings, epochs, turns, log)
        write_weights(X, S, x, w)
        for j in range(N):
            w[j] /= N
        left -= epochs
        gap = certified_gap(X, S, w, x, limit)
    rows = write_rows(X, S, log, True, True, out)
    return rows if gap <= DUALITY_GAP else -rows


@part
def correlations(X, S):
    """C^mu,nu = S^mu S^nu xi^mu . xi^nu / N   (3.58)"""
    P, N = X.shape
    C = np.zeros((P, P))
    for mu in range(P):
        for nu in range(P):
            C[mu, nu] = S[mu] * S[nu] * dot_product(X[mu], X[nu]) / N
    return C


@entry
def minover_steps(X, S, setting, state, out):
    P, N = X.shape
    # The strengths are recorded twice: as what is learned, and as what weights and bound follow from.
    log = new_plane_log(out.shape[0], P, P)
    x, E, best, w = np.zeros(P), np.zeros(P), np.zeros(P), np.zeros(N)
    how = (np.inf, GAP, GAP_TOL, (out.shape[0] - 1) // P * P)
    stopped = minover(correlations(X, S), N, x, E, 0.0, best, -np.inf, *how, log)[3]
    upper = 1.0 / write_weights(X, S, x, w) * math.sqrt(dot_product(w, w))
    kappa = find_lowest(X, S, w) / math.sqrt(dot_product(w, w))
    write_weights(X, S, np.ones(P), w)
    upper = min(upper, math.sqrt(dot_product(w, w)) / P)
    rows = write_rows(X, S, log, False, True, out)
    proven = kappa > 0.0 and upper - kappa <= GAP_TOL * (1.0 + 1e-6) * upper
    return rows if stopped and proven else -rows


@entry
def pocket_steps(X, S, setting, state, out):
    P, N = X.shape
    log = new_plane_log(out.shape[0], P, P)
    x, E, best, w, C = np.zeros(P), np.zeros(P), np.zeros(P), np.zeros(N), correlations(X, S)
    tiny = 0.0
    for mu in range(P):
        tiny = max(tiny, 1e-12 * C[mu, mu])
    pocket_exact(C, S, x, E, tiny, best, P, (out.shape[0] - 1) // P * P, state, log)
    write_weights(X, S, best, w)
    rows = write_rows(X, S, log, False, True, out)
    return rows if count_wrong_examples(X, S, w, P + 1) == 0 else -rows


@entry
def lms_steps(X, S, setting, state, out):
    P, N = X.shape
    log = new_plane_log(out.shape[0], N, 0)
    w, before, turn = np.zeros(N), np.zeros(N), np.arange(P)
    power = sum_values(squared_norms(X))
    eta0, n, settled = 2.0 / power if power > 0.0 else 1.0, 0, False
    rates, turns = RateSchedule(SEARCH_THEN_CONVERGE, eta0, TAU, True), ExampleOrder(CYCLIC, turn, state)
    while n < (out.shape[0] - 1) // P and not settled:
        copy_array(w, before)
        n = learn_delta_rule(X, S, w, False, rates, n, 1, turns, log)[0]
        largest, change = 0.0, 0.0
        for j in range(N):
            largest, change = max(largest, abs(w[j])), max(change, abs(w[j] - before[j]))
        settled = change <= SETTLED * largest
    rows = write_rows(X, S, log, True, False, out)
    return rows if settled else -rows


@entry
def hebb_steps(X, S, setting, state, out):
    log = new_plane_log(out.shape[0], X.shape[1], 0)
    w, belief = np.zeros(X.shape[1]), np.zeros(X.shape[0])
    learn_online(X, S, w, HEBB, 1.0, 0.0, 0.0, 0.0, belief, log)
    return write_rows(X, S, log, True, False, out)


PAGE_ENTRIES = {
    "hebb": hebb_steps,
    "rosenblatt": rosenblatt_steps,
    "pocket": pocket_steps,
    "minover": minover_steps,
    "adaline": adaline_steps,
    "lms": lms_steps,
    "adatron": adatron_steps,
}
