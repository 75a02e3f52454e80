"""Separable or not, one set at a time: Newton's method in float32, its answers proven in whole numbers.

Down h(w) = 1/2 sum (1 - E)_+^2 as in `perceptron/separable/_decide.py`: conjugate gradients first, then
steps that solve H d = g on the examples with E < 1. H is kept and changed by those that enter or leave. The
search may round as it likes; what it finds is a candidate. What is not proven is left open.
"""

import math

import numpy as np

from markone.lab.scenarios.storage.single._balance import balances, balances_in_double
from markone.lab.scenarios.storage.single._descent import (
    descend,
    go,
    gradient,
    line_search,
    potentials_of,
    regroup,
    separates,
    window,
)
from markone.lab.scenarios.storage.single._normal import add_rows, back, cholesky, rounding
from markone.lab.scenarios.storage.single._room import rooms, silence, take
from markone.numerics.compiling import entry, piece

# A set that is not decided after LATE steps is nearly degenerate: float64 then, for a few more.
MAX_STEPS, LATE = 28, 20
U32 = 2.0**-24


@piece
def residuals(E, dE, inside, x):
    """x = 1 - E after the full step on the active set. True if all of these are positive."""
    least = 1.0
    for mu in range(x.shape[0]):
        x[mu] = 1.0 - np.float64(E[mu]) - np.float64(dE[mu]) if inside[mu] else 0.0
        if inside[mu]:
            least = min(least, x[mu])
    return least > 0.0


@piece
def forget(H, inside):
    """H = 0, nobody active."""
    for i in range(H.shape[0]):
        H[i] = 0
    for mu in range(inside.shape[0]):
        inside[mu] = False


@piece
def newton(data, place, active, single, wide, more):
    """1 or 0, proven, or NaN, from w on, whose potentials are E."""
    w, E, d, dE, g, _ = place
    H, R, room, inverse, _, _ = single
    V, N = data.V, data.whole.shape[1]
    size, blocks, count = 0.0, 0, 0
    forget(H, active.inside)
    for n in range(MAX_STEPS):
        n_in, n_out = regroup(E, active)
        count += n_in - n_out
        for k in range(n_in):
            size += data.squares[active.entered[k]]
        for k in range(n_out):
            size += data.squares[active.left[k]]
        blocks += add_rows(data.Z, active.entered, n_in, N, V, room, H, False)
        blocks += add_rows(data.Z, active.left, n_out, N, V, room, H, True)
        bound = rounding(blocks, N, U32, size)
        gradient(data, E, active, g)
        # About what is really rounded, far below the bound: more would slow down sets that are separable.
        cholesky(H, g, N, V, np.float32(U32 * size / math.sqrt(N)), R, inverse)
        back(R, N, V, inverse, d)
        potentials_of(data, d, dE)
        candidate = residuals(E, dE, active.inside, active.x) and count > N
        if candidate and balances(data, active, single, g, bound):
            return 0.0
        if candidate or n >= LATE:
            if balances_in_double(data, active, wide, more):
                return 0.0
            for j in range(d.shape[0]):
                d[j] += more[j]
            potentials_of(data, d, dE)
        t = window(E, dE)
        if t != 0.0 and separates(data.whole, w, d, t, active.values):
            return 1.0
        go(w, E, d, dE, line_search(E, dE))
        if n >= LATE:
            # What rounding has left of E = Z w after so many steps is not exact enough.
            potentials_of(data, w, E)
            silence(data, E)
    return math.nan


@entry
def decide_one_by_one(seed, numbers, P, N, out):
    """1 or 0, proven, for the sets of these numbers; NaN where no proof was found. P, N <= MOST_TERMS."""
    state = np.empty(1, np.uint64)
    data, place, active, single, wide = rooms(P, N)
    more = np.zeros(place.d.shape[0])
    for k in range(numbers.shape[0]):
        take(seed, numbers[k], state, data, place)
        if descend(data, place, active):
            out[k] = 1.0
        else:
            out[k] = newton(data, place, active, single, wide, more)
