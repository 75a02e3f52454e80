"""Proofs that a set is not separable, from residuals x of a full Newton step: see `_proofs.py`.

An exact balance is near x where the eigenvalues of H are large `enough`. Cholesky's method shows that they
are: all pivots of H - shift positive, with shift the rounding (`_normal.py`) and what is needed.
"""

import math

import numpy as np

from markone.lab.scenarios.storage._proofs import enough
from markone.lab.scenarios.storage.single._normal import add_rows, back, cholesky, rounding
from markone.lab.scenarios.storage.single._sums import WIDTH
from markone.numerics.compiling import piece, proof_part

U64 = 2.0**-53


@proof_part
def balances(data, active, single, g, bound):
    """With the H of the search, in float32, whose rounding is below `bound`: a fifth of it is left."""
    shift = np.float32(-1.25 * bound)
    good = cholesky(single.H, g, data.whole.shape[1], data.V, shift, single.R, single.inverse)
    return good and enough(data.whole, active.x, active.inside) < 0.2 * bound


@piece
def weigh(data, n, rows, x, g):
    """g = sum x z over n rows."""
    for j in range(g.shape[0]):
        g[j] = 0.0
    for k in range(n):
        z, strength = data.Z[rows[k] * data.V * WIDTH :], x[rows[k]]
        for j in range(data.whole.shape[1]):
            g[j] += strength * z[j]


@piece
def improve(data, n, rows, d, x):
    """x -= Z d for n rows; the smallest of these."""
    least = math.inf
    for k in range(n):
        z, total = data.Z[rows[k] * data.V * WIDTH :], 0.0
        for j in range(data.whole.shape[1]):
            total += z[j] * d[j]
        x[rows[k]] -= total
        least = min(least, x[rows[k]])
    return least


@proof_part
def balances_in_double(data, active, wide, more):
    """With H in float64, for smaller eigenvalues, and with x improved before.

    `more` is filled with what has to be added to Newton's step to make it exact.
    """
    H, R, room, inverse, d, g = wide
    rows, x, V, N = active.rows, active.x, data.V, data.whole.shape[1]
    n, size, least = 0, 0.0, 0.0
    for mu in range(x.shape[0]):
        if active.inside[mu]:
            rows[n] = mu
            n += 1
            size += data.squares[mu]
    for i in range(H.shape[0]):
        H[i] = 0.0
    for j in range(more.shape[0]):
        more[j] = 0.0
    blocks = add_rows(data.Z, rows, n, N, V, room, H, False)
    bound = rounding(blocks, N, U64, size)
    for _ in range(2):
        weigh(data, n, rows, x, g)
        cholesky(H, g, N, V, 0.01 * bound, R, inverse)
        back(R, N, V, inverse, d)
        least = improve(data, n, rows, d, x)
        for j in range(N):
            more[j] += d[j]
    if n <= N or not least > 0.0:
        return False
    needed = enough(data.whole, x, active.inside)
    return needed < math.inf and cholesky(H, g, N, V, -(needed + 1.25 * bound), R, inverse)
