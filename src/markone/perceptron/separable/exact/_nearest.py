"""Point nearest to the origin among sum x z, sum x = 1, x >= 0, in double-double arithmetic.

Least squares with x >= 0 (Lawson and Hanson 1974) for the columns a = (z, tau) and the right side
(0, tau): the residual is r = (-p, tau s), p = sum x z, s = 1 - sum x. At the solution z . p >= tau^2 s with
equality where x > 0, so that p is the student of optimal stability; r = 0 if there is none.

The columns are orthogonalised; C = Z Z^T would square their condition number, too much for inputs such as
years or Kelvin.
"""

import math

import numpy as np

from markone.numerics.compiling import proof_entry, proof_part
from markone.perceptron.separable._roundings import two_product, two_sum


@proof_part
def dd_add(ah, al, bh, bl):
    s, e = two_sum(ah, bh)
    t, f = two_sum(al, bl)
    s, e = two_sum(s, e + t)
    return two_sum(s, e + f)


@proof_part
def dd_multiply(ah, al, bh, bl):
    p, e = two_product(ah, bh)
    return two_sum(p, e + (ah * bl + al * bh))


@proof_part
def dd_divide(ah, al, bh, bl):
    q = ah / bh
    ph, pl = dd_multiply(bh, bl, q, 0.0)
    rh, rl = dd_add(ah, al, -ph, -pl)
    t = rh / bh
    ph, pl = dd_multiply(bh, bl, t, 0.0)
    rh, rl = dd_add(rh, rl, -ph, -pl)
    qh, ql = two_sum(q, t)
    return dd_add(qh, ql, rh / bh, 0.0)


@proof_part
def dd_sqrt(ah, al):
    if ah <= 0.0:
        return 0.0, 0.0
    x = math.sqrt(ah)
    ph, pl = two_product(x, x)
    rest = dd_add(ah, al, -ph, -pl)[0]
    return two_sum(x, rest / (2.0 * x))


@proof_part
def dd_dot(ah, al, bh, bl):
    """a . b of vectors."""
    sh, sl = 0.0, 0.0
    for j in range(ah.shape[0]):
        ph, pl = dd_multiply(ah[j], al[j], bh[j], bl[j])
        sh, sl = dd_add(sh, sl, ph, pl)
    return sh, sl


@proof_part
def dd_subtract_scaled(ah, al, ch, cl, bh, bl):
    """a -= c b, vectors a and b."""
    for j in range(ah.shape[0]):
        ph, pl = dd_multiply(ch, cl, bh[j], bl[j])
        ah[j], al[j] = dd_add(ah[j], al[j], -ph, -pl)


# Relative thresholds: a column counts as dependent, a residual as zero, a gradient as zero.
DEPENDENT, NOTHING, FLAT = 1e-25, 1e-26, 1e-17


@proof_part
def orthogonalise_column(k, Qh, Ql, vh, vl, ch, cl):
    """Orthogonalise v against the first k rows of Q, v -= sum c q; twice is enough (Parlett)."""
    for t in range(k):
        ch[t], cl[t] = 0.0, 0.0
    for _ in range(2):
        for t in range(k):
            dh, dl = dd_dot(Qh[t], Ql[t], vh, vl)
            dd_subtract_scaled(vh, vl, dh, dl, Qh[t], Ql[t])
            ch[t], cl[t] = dd_add(ch[t], cl[t], dh, dl)


@proof_part
def append_column(Z, i, tau, k, Qh, Ql, Rh, Rl):
    """Append example i as column k of the factors (Gram-Schmidt, twice). False if it is dependent."""
    N = Z.shape[1]
    vh, vl = Qh[k], Ql[k]
    square = tau * tau
    for j in range(N):
        vh[j] = Z[i, j]
        vl[j] = 0.0
        square += Z[i, j] * Z[i, j]
    vh[N] = tau
    vl[N] = 0.0
    orthogonalise_column(k, Qh, Ql, vh, vl, Rh[:, k], Rl[:, k])
    sh, sl = dd_dot(vh, vl, vh, vl)
    Rh[k, k], Rl[k, k] = dd_sqrt(sh, sl)
    if Rh[k, k] <= DEPENDENT * math.sqrt(square):
        return False
    ih, il = dd_divide(1.0, 0.0, Rh[k, k], Rl[k, k])
    for j in range(N + 1):
        vh[j], vl[j] = dd_multiply(vh[j], vl[j], ih, il)
    return True


@proof_part
def solve_strengths(tau, k, Qh, Ql, Rh, Rl, rh, rl, yh, yl):
    """Compute the strengths y of the k columns and the residual r."""
    rh[:] = 0.0
    rl[:] = 0.0
    rh[rh.shape[0] - 1] = tau
    orthogonalise_column(k, Qh, Ql, rh, rl, yh, yl)
    for t in range(k - 1, -1, -1):
        for l in range(t + 1, k):
            ph, pl = dd_multiply(Rh[t, l], Rl[t, l], yh[l], yl[l])
            yh[t], yl[t] = dd_add(yh[t], yl[t], -ph, -pl)
        yh[t], yl[t] = dd_divide(yh[t], yl[t], Rh[t, t], Rl[t, t])


@proof_part
def steepest_example(Z, tau, rh, rl, lengths, out):
    """Index of the inactive example with the largest gradient a . r / |a|, or -1."""
    N, best, which = Z.shape[1], 0.0, -1
    last = tau * rh[N]
    for i in range(Z.shape[0]):
        if not out[i]:
            continue
        s, c = two_product(tau, rh[N])
        c += tau * rl[N]
        for j in range(N):
            p, e = two_product(Z[i, j], rh[j])
            s, d = two_sum(s, p)
            c += d + (e + Z[i, j] * rl[j])
        slope = (s + c) / lengths[i]
        if s + c > FLAT * last and slope > best:
            best, which = slope, i
    return which


@proof_part
def remove_inactive(Z, tau, k, members, x, Qh, Ql, Rh, Rl):
    """Remove the members with x <= 0 and refactorise from the first of them on; return the new k."""
    first = k
    for t in range(k - 1, -1, -1):
        if x[t] <= 0.0:
            first = t
    kept = first
    for t in range(first, k):
        if x[t] > 0.0 and append_column(Z, members[t], tau, kept, Qh, Ql, Rh, Rl):
            members[kept], x[kept] = members[t], x[t]
            kept += 1
    return kept


@proof_part
def step_to_zero(x, y):
    """The t at which x + t (y - x) is zero, for x >= 0 >= y."""
    return x / (x - y) if x > y else 0.0


@proof_part
def move_towards(x, yh, k):
    """Move x towards y as far as x >= 0 allows. True if y is reached."""
    t, free = 1.0, True
    for l in range(k):
        if yh[l] <= 0.0:
            free = False
            t = min(t, step_to_zero(x[l], yh[l]))
    for l in range(k):
        closes = yh[l] <= 0.0 and step_to_zero(x[l], yh[l]) <= t
        x[l] = 0.0 if closes else max(x[l] + t * (yh[l] - x[l]), 0.0)
    return free


@proof_entry
def find_nearest(Z, tau, start, strengths, lengths, most, members, xh, xl, rh, rl):
    """Fill members, their strengths x and the residual r; return (number of members, converged).

    start: initial members, with `strengths` > 0. lengths: |a| of all examples.
    """
    P, N = Z.shape
    capacity = min(P, N + 1)
    Qh, Ql = np.empty((capacity + 1, N + 1)), np.empty((capacity + 1, N + 1))
    Rh, Rl = np.empty((capacity + 1, capacity + 1)), np.empty((capacity + 1, capacity + 1))
    yh, yl, x = np.empty(capacity + 1), np.empty(capacity + 1), np.empty(capacity + 1)
    out = np.ones(P, np.bool_)
    k = 0
    for n in range(start.shape[0]):
        if k < capacity and append_column(Z, start[n], tau, k, Qh, Ql, Rh, Rl):
            members[k], x[k] = start[n], strengths[n]
            k += 1
    least = math.inf
    for _ in range(most):
        solve_strengths(tau, k, Qh, Ql, Rh, Rl, rh, rl, yh, yl)
        if not move_towards(x, yh, k):
            k = remove_inactive(Z, tau, k, members, x, Qh, Ql, Rh, Rl)
            continue
        for t in range(k):
            xh[t], xl[t] = yh[t], yl[t]
        size = math.sqrt(dd_dot(rh, rl, rh, rl)[0])
        if size <= NOTHING * tau or size >= least:
            return k, True
        least = size
        out[:] = True
        for t in range(k):
            out[members[t]] = False
        while True:
            new = steepest_example(Z, tau, rh, rl, lengths, out)
            if new < 0:
                return k, True
            out[new] = False
            if k < capacity and append_column(Z, new, tau, k, Qh, Ql, Rh, Rl):
                break
        members[k], x[k] = new, 0.0
        k += 1
    for t in range(k):
        xh[t], xl[t] = x[t], 0.0
    return k, False
