"""Separable or not, LANES sets side by side: Newton's method in float32, its answers proven in whole numbers.

Down h(w) = 1/2 sum (1 - E)_+^2 as in `perceptron/separable/_decide.py`: a step solves H d = g on the
examples with E < 1. The search may round as it likes; what it finds is a candidate (`_proofs.py`). What is
not proven is left open, for the solver that takes one set at a time. Compiled without the flags of the house:
a bound on the rounding of H and of Cholesky's method is part of a proof.
"""

import math

import numpy as np

from markone.lab.scenarios.storage._downhill import NOUGHT, ONE, go, search_lanes
from markone.lab.scenarios.storage._inputs import UNITS, draw_set
from markone.lab.scenarios.storage._lane_vectors import LANES
from markone.lab.scenarios.storage._proofs import balances, balances_in_double, separates
from markone.lab.scenarios.storage._tiles import TALL, WIDE, activate, dots, eliminate, tile, window
from markone.numerics.compiling import proof_entry, proof_part

# Rows whose products are added up apart, which keeps the rounding of H small.
BLOCK = 32
MAX_STEPS = 16
U32 = 2.0**-24


@proof_part
def take(seed, number, lane, whole, M, Z, E, w):
    """Draw a set into a lane: whole numbers in `whole`, over 2^20, which float32 holds exactly, in Z."""
    P, N = whole.shape
    draw_set(seed, number, np.empty(1, np.uint64), whole)
    for mu in range(P):
        for j in range(N):
            Z[(mu * M + j) * LANES + lane] = np.float32(whole[mu, j] / UNITS)
        E[mu * LANES + lane] = NOUGHT
    for j in range(N):
        w[j * LANES + lane] = NOUGHT


@proof_part
def normal_matrix(Y, Z, P, M, H):
    """H = sum z z^T over the active rows, upper triangle; its last column is g = sum r z."""
    H[:] = NOUGHT
    for first in range(0, P, BLOCK):
        rows = min(BLOCK, P - first)
        for i in range(0, M, TALL):
            for j in range(i, M, WIDE):
                tile(Y, Z, first, rows, M, i, j, H, False)


@proof_part
def cholesky(H, N, M, shift, R, inverse):
    """R^T R = H + shift, N rows; the column behind them becomes R^-T g on the way."""
    for i in range(H.shape[0]):
        R[i] = H[i]
    for j in range(N):
        for lane in range(LANES):
            R[(j * M + j) * LANES + lane] += shift[lane]
    for top in range(0, N, TALL):
        for j in range(top, M, WIDE):
            tile(R, R, 0, top, M, top, j, R, True)
        for row in range(top, min(top + TALL, N)):
            eliminate(R, row, M, top, inverse)


@proof_part
def step(R, N, M, inverse, d):
    """R d = R^-T g, from the last one up."""
    for j in range(N - 1, -1, -1):
        dots(R, j * M + j + 1, d, j + 1, N - 1 - j, d, j)
        for lane in range(LANES):
            i = j * LANES + lane
            d[i] = (R[(j * M + N) * LANES + lane] - d[i]) * inverse[i]


@proof_part
def inside_window(low, high):
    """A t between the two, or 0."""
    if not low < high:
        return 0.0
    if high >= 2.0**59:
        return 2.0 * abs(low) + 1.0 if low > -(2.0**59) else 0.0
    return 2.0 * high - 1.0 if low <= -(2.0**59) and high < 0.0 else 0.5 * (max(low, -abs(high)) + high)


@proof_entry
def decide_side_by_side(seed, numbers, P, N, out):
    """1 or 0, proven, for the sets of these numbers; NaN where no proof was found. P, N <= 1024."""
    n_sets = numbers.shape[0]
    M = (N + TALL) // TALL * TALL
    whole = np.empty((LANES, P, N), np.int32)
    Z, Y = np.zeros(P * M * LANES, np.float32), np.zeros(P * M * LANES, np.float32)
    H, R = np.zeros(M * M * LANES, np.float32), np.zeros(M * M * LANES, np.float32)
    E, dE = np.zeros(P * LANES, np.float32), np.zeros(P * LANES, np.float32)
    w, d = np.zeros(M * LANES, np.float32), np.zeros(M * LANES, np.float32)
    inverse, t = np.zeros(M * LANES, np.float32), np.zeros(LANES, np.float32)
    low, high, shift = np.zeros(LANES, np.float32), np.zeros(LANES, np.float32), np.zeros(LANES, np.float32)
    bound, count, least = np.zeros(LANES), np.zeros(LANES, np.float32), np.zeros(LANES, np.float32)
    place, steps, asked = np.full(LANES, -1), np.zeros(LANES, np.int64), np.zeros(LANES, np.bool_)
    taken = done = 0
    while done < n_sets:
        for lane in range(LANES):
            if place[lane] < 0 and taken < n_sets:
                take(seed, numbers[taken], lane, whole[lane], M, Z, E, w)
                place[lane], steps[lane] = taken, 0
                out[taken] = math.nan
                taken += 1
        activate(E, P, N, M, Z, Y, count)
        normal_matrix(Y, Z, P, M, H)
        for lane in range(LANES):
            trace = 0.0
            for j in range(N):
                trace += H[(j * M + j) * LANES + lane]
            # Of H, of H + shift and of Cholesky's method, in any order of the sums: see `_proofs.py`.
            bound[lane] = 1.1 * (BLOCK + -(-P // BLOCK) + N + 16) * U32 * trace
            shift[lane] = 0.01 * bound[lane]
        cholesky(H, N, M, shift, R, inverse)
        step(R, N, M, inverse, d)
        for mu in range(P):
            dots(Z, mu * M, d, 0, N, dE, mu)
        window(E, dE, P, low, high)
        least[:] = ONE
        for mu in range(P):
            for lane in range(LANES):
                r = ONE - E[mu * LANES + lane]
                left = r - dE[mu * LANES + lane]
                if r > NOUGHT and left < least[lane]:
                    least[lane] = left
        n_asked = 0
        for lane in range(LANES):
            asked[lane] = place[lane] >= 0 and count[lane] > N and least[lane] > NOUGHT
            n_asked += asked[lane]
        if n_asked > 0:
            for lane in range(LANES):
                shift[lane] = -1.25 * bound[lane]
            cholesky(H, N, M, shift, R, inverse)
            for lane in range(LANES):
                if asked[lane]:
                    proven = balances(whole[lane], E, dE, lane, inverse, 0.2 * bound[lane])
                    if proven or balances_in_double(whole[lane], E, dE, lane):
                        out[place[lane]] = 0.0
                    place[lane] = -1
                    done += 1
        search_lanes(E, dE, P, t)
        for lane in range(LANES):
            if place[lane] >= 0:
                way = inside_window(low[lane], high[lane])
                steps[lane] += 1
                if way != 0.0 and separates(whole[lane], w, d, way, lane):
                    out[place[lane]] = 1.0
                    place[lane] = -1
                    done += 1
                elif steps[lane] == MAX_STEPS:
                    place[lane] = -1
                    done += 1
        go(w, E, d, dE, t)
