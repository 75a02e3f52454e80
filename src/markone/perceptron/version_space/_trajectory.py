"""Billiards in version space (Rujan 1997), in the harmonic well whose equilibrium is a Gaussian in w.

Between walls w(t) = w cos t + v sin t, so that every potential is E cos t + F sin t with F = S xi.v: the
times of all hits are known exactly, and the first one is that of the smallest F/E. Without walls
a quarter turn from a fresh Gaussian v would be independent of w (Pakman and Paninski 2014). Directions
w/|w| are uniform in version space.

Without noise a wall reflects. With label noise lambda the posterior of w falls by lambda/(1-lambda) across
a wall: a step of the potential, of height `wall` = ln((1-lambda)/lambda), which reflects or refracts v
and conserves the energy, exactly. `side` is +1 where the example is right, -1 where it is wrong; E and F
are kept multiplied by it, so that no E is negative.

A bounce needs row mu of G^mu,nu = S^mu S^nu xi^mu.xi^nu and O(P + N) operations; no step size, no error
but rounding, and E is computed afresh at each turn.
"""

import math
from collections import namedtuple

import numpy as np

from markone.numerics._random import draw_normal
from markone.numerics._rows import add_example, dot_example
from markone.numerics._vectors import copy_array, dot_product, first_index, max_finite, min_finite
from markone.numerics.compiling import entry, part, piece

QUARTER = 0.5 * math.pi
# An E that is negative by rounding is set to this: its wall is hit at once.
TINY = 1e-300
# Ratios F/E are clipped to this, "at once" and "never": their squares would overflow.
STEEPEST = 1e150
# xi, S, G (no rows if too large to be stored), |xi|, and the height of the step, infinite without noise.
Walls = namedtuple("Walls", ["xi", "S", "G", "lengths", "wall"])


@piece
def rotate_pair(a, b, c, s):
    """(a, b) <- (a c + b s, b c - a s)"""
    for j in range(a.shape[0]):
        old = a[j]
        a[j] = old * c + b[j] * s
        b[j] = b[j] * c - old * s


@piece
def rotate_and_find(E, F, side, ratio, c, s, kick, row):
    """Rotate (E, F), subtract kick * row from F; return the smallest F/E and its first index.

    In four blocks, so that the second pass, for the index, covers a quarter only.
    """
    P = E.shape[0]
    block = (P // 64 + 1) * 16
    smallest, start = np.inf, 0
    for begin in range(0, P, block):
        e, f, own = E[begin : begin + block], F[begin : begin + block], side[begin : begin + block]
        g, r = row[begin : begin + block], ratio[begin : begin + block]
        least = np.inf
        for i in range(e.shape[0]):
            old = e[i]
            new = max_finite(old * c + f[i] * s, TINY)
            speed = f[i] * c - old * s - kick * own[i] * g[i]
            e[i], f[i], r[i] = new, speed, speed / new
            least = min_finite(least, r[i])
        if least < smallest:
            smallest, start = least, begin
    return smallest, start + first_index(ratio[start : start + block], smallest)


@part
def velocity_after_hit(speed, length, wall):
    """S xi.v, multiplied by `side`, after a hit with `speed` < 0, and whether the wall is crossed.

    The normal velocity is speed/|xi|. wall > 0 is a step up, wall < 0 a step down.
    """
    energy = (speed / length) ** 2 - 2.0 * wall
    if energy <= 0.0:
        return -speed, False
    return -length * math.sqrt(energy), True


@piece
def gram_row(xi, S, mu, z, row):
    """Compute row mu of G, if the matrix is too large to be stored."""
    for j in range(z.shape[0]):
        z[j] = 0.0
    add_example(xi, mu, S[mu], z)
    for nu in range(S.shape[0]):
        row[nu] = S[nu] * dot_example(xi, nu, z)


@piece
def start_turn(xi, S, wall, w, v, E, F, side, state):
    """Draw a Gaussian v; compute E and F of w and v, multiplied by `side`, +1 for reflecting walls."""
    for j in range(v.shape[0]):
        v[j] = draw_normal(state)
    for mu in range(S.shape[0]):
        E[mu] = S[mu] * dot_example(xi, mu, w)
        side[mu] = 1.0 if E[mu] >= 0.0 or wall == np.inf else -1.0
        E[mu] = max(side[mu] * E[mu], TINY)
        F[mu] = side[mu] * S[mu] * dot_example(xi, mu, v)


@part
def follow_trajectory(walls, time, most, w, v, potentials, row, z):
    """Follow (w, v) for `time` < pi; return the number of hits. Stop at `most` hits.

    `potentials` are (E, F, side, ratio).
    """
    xi, S, G, lengths, wall = walls
    E, F, side, ratio = potentials
    kept = G.shape[0] > 0
    c, s, kick, mu = 1.0, 0.0, 0.0, 0
    for hits in range(most):
        r, mu = rotate_and_find(E, F, side, ratio, c, s, kick, G[mu] if kept else row)
        r = min(max(r, -STEEPEST), STEEPEST)
        h = math.sqrt(1.0 + r * r)
        c, s = -r / h, 1.0 / h
        t = math.atan2(s, c)
        if t >= time:
            rotate_pair(w, v, math.cos(time), math.sin(time))
            return hits
        time -= t
        rotate_pair(w, v, c, s)
        speed = F[mu] * c - E[mu] * s
        new, crosses = velocity_after_hit(speed, lengths[mu], wall * side[mu])
        kick = (speed - new) * side[mu] / (lengths[mu] * lengths[mu])
        if crosses:
            E[mu], F[mu], side[mu] = -E[mu], -F[mu], -side[mu]
        add_example(xi, mu, -kick * S[mu], v)
        if not kept:
            gram_row(xi, S, mu, z, row)
    return most


@part
def make_turn(walls, time, most, w, state, side, numbers, vectors):
    """One turn from w with a fresh v; return the number of hits.

    A part, as all code with sums in no fixed order: an entry called by other entries is compiled with each of
    them, and which copy runs, with which last bits, would depend on the load order.

    `numbers` (4, P) and `vectors` (2, N) are work arrays.
    """
    P = walls.S.shape[0]
    E, F, ratio, row = numbers[0, :P], numbers[1, :P], numbers[2, :P], numbers[3, :P]
    v, z = vectors[0], vectors[1]
    start_turn(walls.xi, walls.S, walls.wall, w, v, E, F, side, state)
    return follow_trajectory(walls, time, most, w, v, (E, F, side, ratio), row, z)


def draw_students(walls, time, turns, most, w, state, out, wrong):
    """Make `turns` turns of length `time` for each row of `out`, filled with w/|w|; w is changed.

    `wrong` becomes the number of wrong examples of each. Return (all hits, turns stopped at `most` hits).
    """
    P, N = walls.S.shape[0], w.shape[0]
    side, numbers, vectors = np.empty(P), np.zeros((4, P)), np.empty((2, N))
    total, cut = 0, 0
    for k in range(out.shape[0]):
        for _ in range(turns):
            hits = make_turn(walls, time, most, w, state, side, numbers, vectors)
            total += hits
            cut += hits == most
        norm, errors = math.sqrt(dot_product(w, w)), 0
        for mu in range(P):
            errors += side[mu] < 0.0
        wrong[k] = errors
        for j in range(N):
            out[k, j] = w[j] / norm
    return total, cut


# For compiled code, and for Python: an entry around the part would compile all of it again.
draw_students_part = part(draw_students)
draw_students_entry = entry(draw_students)


@entry
def log_volumes(xi, S, G, lengths, n, most, w0, state, log):
    """Fill log[k] = ln of the volume after k examples, with n students each; w0 agrees with all of them.

    A student of V_k that agrees with example k is a student of V_(k+1): the chain continues from the last
    such student, or from w0 if there was none. ln((count + 1/2)/(n + 1/2)) has no bias of order 1/n.
    """
    P, N = S.shape[0], w0.shape[0]
    w, kept = np.empty(N), w0.copy()
    side, numbers, vectors = np.empty(P), np.zeros((4, P)), np.empty((2, N))
    for j in range(N):
        w[j] = draw_normal(state)
    for k in range(P):
        count, walls = 0, Walls(xi, S[:k], G, lengths, np.inf)
        for _ in range(n):
            make_turn(walls, QUARTER, most, w, state, side[:k], numbers, vectors)
            if S[k] * dot_example(xi, k, w) > 0.0:
                count += 1
                copy_array(w, kept)
        log[k + 1] = log[k] + math.log((count + 0.5) / (n + 0.5))
        copy_array(kept if count > 0 else w0, w)
