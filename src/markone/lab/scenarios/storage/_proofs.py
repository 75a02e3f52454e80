"""Proofs for candidates of Newton's method in float32, in whole numbers: nothing in them is rounded.

Inputs are whole numbers below 2^24, in units of 2^-20. A candidate is rounded to whole numbers up to a
`scale`, 2^28 for at most 1024 terms and half of it for each doubling: each sum stays below 2^62, so that
int64 holds it, in any order.

*Separable*: all E = sum w z > 0 for whole w, exactly.

*Not separable*: whole x > 0 on the active rows S, and g = sum x z, exactly. x' = x - Z_S H^-1 g has
sum x' z = 0 (H = Z_S^T Z_S), and no x' is farther from its x than |Z_S H^-1 g| = sqrt(g H^-1 g), at most
|g| / sqrt(lambda) with lambda a bound from below on the eigenvalues of H. Where all x are larger, an x' > 0
exists and no w has all E > 0.

*lambda*: in float32 H has the error (BLOCK + blocks + 2) u tr H at
the most (its norm; sums of BLOCK products, then of blocks, with the norm of |Z|^T |Z| below tr H). Cholesky's
R of H - shift, all pivots positive, is exact for a matrix that differs by (N + 8) u tr H: N terms, root,
inverse and products; what is too small for float32 is nothing beside it. R^T R has no negative eigenvalue,
so H has none below shift minus both; with `bound` above them and shift = 1.25 bound a fifth of `bound` is
left.
"""

import math

import numpy as np

from markone.lab.scenarios.storage._inputs import UNITS
from markone.lab.scenarios.storage._lane_vectors import LANES
from markone.numerics.compiling import proof_part
from markone.perceptron.separable._balance import proves_balance as balances_exactly

MOST_TERMS = 2**14


@proof_part
def scale_for(terms):
    """The largest size of whole numbers whose products with so many inputs may be added up."""
    scale = 2.0**28
    while terms * scale > 2.0**38:
        scale *= 0.5
    return scale


@proof_part
def to_whole(values, out):
    """The nearest whole numbers, with the largest at the scale; False if there is none to speak of."""
    top, scale = 0.0, scale_for(values.shape[0])
    for value in values:
        if not abs(value) < math.inf:
            return False
        top = max(top, abs(value))
    if top == 0.0:
        return False
    for i in range(values.shape[0]):
        out[i] = np.int32(np.rint(values[i] / top * scale))
    return True


@proof_part
def all_positive(Z, values):
    """All E > 0 for weights of these values, rounded to whole numbers."""
    P, N = Z.shape
    weights = np.empty(N, np.int32)
    if not to_whole(values, weights):
        return False
    for mu in range(P):
        row, E = Z[mu], np.int64(0)
        for j in range(N):
            E += np.int64(row[j]) * np.int64(weights[j])
        if E <= 0:
            return False
    return True


@proof_part
def enough(Z, x, inside):
    """How large must the eigenvalues of H = sum z z^T over the examples `inside` be so that their strengths
    x, rounded, are near an exact balance? Infinity if none are enough. The other strengths are 0."""
    P, N = Z.shape
    rounded = np.empty(P, np.int32)
    if not to_whole(x, rounded):
        return math.inf
    g, least = np.zeros(N, np.int64), np.int64(2**28)
    for mu in range(P):
        if inside[mu]:
            a, row = np.int64(rounded[mu]), Z[mu]
            least = min(least, a)
            for j in range(N):
                g[j] += a * np.int64(row[j])
    square = 0.0
    for j in range(N):
        square += (g[j] / UNITS) ** 2
    # A hundredth more than all that these few operations can round.
    return 1.01 * square / (float(least) * float(least)) if least > 0 else math.inf


@proof_part
def separates(Z, w, d, t, lane):
    """All E > 0 for w + t d of a lane, rounded to whole numbers."""
    values = np.empty(Z.shape[1])
    for j in range(Z.shape[1]):
        values[j] = w[j * LANES + lane] + t * d[j * LANES + lane]
    return all_positive(Z, values)


@proof_part
def strengths(E, dE, lane, x, inside):
    """x = 1 - E - dE where E < 1, which is `inside`: the residuals of a lane after the full step."""
    for mu in range(x.shape[0]):
        inside[mu] = E[mu * LANES + lane] < 1.0
        left = 1.0 - np.float64(E[mu * LANES + lane]) - np.float64(dE[mu * LANES + lane])
        x[mu] = left if inside[mu] else 0.0


@proof_part
def balances(Z, E, dE, lane, inverse, smallest):
    """The residuals after the full step, x = 1 - E - dE where E < 1, rounded: are they near an exact balance?

    `inverse` has the pivots of R^T R = H - shift, `smallest` is what that leaves for the eigenvalues of H.
    """
    P, N = Z.shape
    for j in range(N):
        if not inverse[j * LANES + lane] > 0.0:
            return False
    x, inside = np.empty(P), np.empty(P, np.bool_)
    strengths(E, dE, lane, x, inside)
    return enough(Z, x, inside) < smallest


@proof_part
def balances_in_double(Z, E, dE, lane):
    """The same where eigenvalues of H are too small for float32: the proof of `perceptron/separable`."""
    P, N = Z.shape
    Y, x, inside = np.empty((P, N)), np.empty(P), np.empty(P, np.bool_)
    for mu in range(P):
        for j in range(N):
            Y[mu, j] = Z[mu, j] / UNITS
    strengths(E, dE, lane, x, inside)
    return balances_exactly(Y, x)
