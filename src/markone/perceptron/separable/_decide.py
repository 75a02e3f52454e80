"""Separability by Newton's method on h(w) = 1/2 sum (1 - E)_+^2, with a proof for either answer.

Z has the rows S^mu xi^mu, E = Z w. All E > 0 prove separability. Let r be the residuals 1 - E of a
least-squares solution on some of the examples, S: then Z_S^T r = 0, and if no r is negative sum r E = 0
for every w, so that not all E can be positive. Both are tested at every step.
"""

import math

import numpy as np

from markone.numerics._rows import by_layout
from markone.numerics._vectors import copy_array, dot_product
from markone.numerics.compiling import FLAGS, entry, part, piece
from markone.perceptron.base._cholesky import add_outer_products, factorise, solve_factorised
from markone.perceptron.separable._descent import (
    EPS,
    advance_weights,
    conjugate_gradients,
    fill_potentials,
    gradient_steps,
    lowest_value,
    move_along,
    relative_imbalance,
)
from markone.perceptron.separable._scales import compute_scales, fill_lengths, scaled_copy

SEPARABLE, UNDECIDED, NOT_SEPARABLE = 1, 0, -1
# |Z^T x| / sum x that is zero up to rounding. Above it the search for a better x continues.
SHARP = 1e-12


def _add_dense(Z, chosen, sign, H):
    add_outer_products(Z, chosen, sign, H)


def _add_sparse(Z, chosen, sign, H):
    for mu in chosen:
        for k in range(Z.indptr[mu], Z.indptr[mu + 1]):
            i, b = Z.indices[k], sign * Z.data[k]
            for l in range(Z.indptr[mu], Z.indptr[mu + 1]):
                if Z.indices[l] >= i:
                    H[i, Z.indices[l]] += b * Z.data[l]


# H += sign sum z z^T over the chosen rows, upper triangle.
add_to_normal_matrix = by_layout(_add_dense, _add_sparse, fastmath=FLAGS)


@piece
def update_active_set(E, r, inside, entered, left):
    """Fill r = (1 - E)_+ and the examples that entered or left the set E < 1 since the last call."""
    n_in, n_out = 0, 0
    for mu in range(E.shape[0]):
        r[mu] = max(1.0 - E[mu], 0.0)
        if r[mu] > 0.0 and inside[mu] == 0:
            entered[n_in] = mu
            n_in += 1
        elif r[mu] == 0.0 and inside[mu] == 1:
            left[n_out] = mu
            n_out += 1
        inside[mu] = 1 if r[mu] > 0.0 else 0
    return n_in, n_out


@piece
def full_step_residuals(r, dE, inside, y):
    """Fill y = 1 - E after the full step on the active set. True if none is negative."""
    low = 0.0
    for mu in range(r.shape[0]):
        y[mu] = r[mu] - dE[mu] if inside[mu] == 1 else 0.0
        low = min(low, y[mu])
    return low == 0.0


@piece
def factorise_shifted(H, U, inverse):
    """Cholesky factor U of H plus the smallest shift that succeeds: few or dependent rows make H singular."""
    N, top = H.shape[0], 0.0
    for i in range(N):
        top = max(top, H[i, i])
    shift = 64.0 * N * EPS * top
    for _ in range(4):
        if factorise(H, shift, U, inverse):
            return True
        shift *= 1e3
    return False


@piece
def keep_better(Z, candidate, g, x, best):
    """Fill g = Z^T candidate; copy the candidate to x if its |g| / sum is below `best`. The least of both."""
    ratio = relative_imbalance(Z, candidate, g)
    if ratio < best:
        copy_array(candidate, x)
    return min(ratio, best)


@part
def newton_direction(Z, U, inside, examples, inputs, x, best, sharp):
    """Fill d and dE of the full step on the active set; copy its residuals to x if they are better. The best.

    `examples` and `inputs` are the work arrays of `newton_steps`; the factor U of the active set is known.
    """
    dE, r, y, more = examples[0], examples[1], examples[2], examples[3]
    inverse, g, d, correction = inputs[0], inputs[1], inputs[2], inputs[3]
    solve_factorised(U, inverse, g, d)
    fill_potentials(Z, d, dE)
    for _ in range(3):
        if not full_step_residuals(r, dE, inside, y):
            break
        best = keep_better(Z, y, g, x, best)
        if best <= sharp:
            break
        # Iterative refinement: the same factor removes the error of the shift and of rounding.
        solve_factorised(U, inverse, g, correction)
        fill_potentials(Z, correction, more)
        move_along(d, dE, correction, more, 1.0)
    return best


@piece
def newton_steps(Z, w, E, x, best, sharp, max_iter):
    """Newton steps from w, whose potentials are E; `best` is |Z^T x| / sum x. Return (status, steps)."""
    P, N = E.shape[0], w.shape[0]
    # All of one kind of shape: each further kind takes long to compile.
    H, U, examples, inputs = np.empty((N, N)), np.empty((N, N)), np.empty((4, P)), np.empty((4, N))
    r, inverse, g = examples[1], inputs[0], inputs[1]
    lists = np.empty((3, P), np.int64)
    inside, entered, left = lists[0], lists[1], lists[2]
    H[:] = 0.0
    inside[:] = 0
    h_last, stalled, status, n = math.inf, 0, UNDECIDED, 0
    while n < max_iter and status == UNDECIDED:
        n_in, n_out = update_active_set(E, r, inside, entered, left)
        best = keep_better(Z, r, g, x, best)
        if best <= sharp:
            status = NOT_SEPARABLE
            break
        h = dot_product(r, r)
        stalled = stalled + 1 if h > (1.0 - 1e-9) * h_last else 0
        h_last = h
        if stalled == 3:
            break
        add_to_normal_matrix(Z, entered[:n_in], 1.0, H)
        add_to_normal_matrix(Z, left[:n_out], -1.0, H)
        if n_in + n_out > 0 and not factorise_shifted(H, U, inverse):
            break
        best = newton_direction(Z, U, inside, examples, inputs, x, best, sharp)
        n += 1
        if best <= sharp:
            status = NOT_SEPARABLE
        elif advance_weights(Z, w, E, inputs[2], examples[0]):
            status = SEPARABLE
    return status, n


@piece
def is_balanced(Z, a, Y, c, x, tol, lengths, inputs):
    """Whether |Z^T x| <= tol sum x |z| for the columns as given and for Y, as scaled; rows may be scaled.

    `lengths` and the two rows of `inputs` are work arrays.
    """
    g, common = inputs[0], inputs[1]
    if not relative_imbalance(Y, x, g) <= tol:
        return False
    # Columns as given, up to one common factor that keeps their squares finite.
    common[:] = lowest_value(c)
    fill_lengths(Z, a, common, lengths)
    for j in range(c.shape[0]):
        g[j] *= common[j] / c[j]
    return math.sqrt(dot_product(g, g)) <= tol * dot_product(x, lengths)


@part
def decide_scaled(Y, w, E, x, steps, tol, max_iter, examples, inputs):
    """`steps` conjugate gradient steps, then Newton's method, for rows of length 2 at most.

    Fills w, E and x; returns (SEPARABLE, NOT_SEPARABLE for |Y^T x| <= tol sum x, or UNDECIDED; Newton steps).
    `examples` and `inputs` are work arrays, two and three rows.
    """
    w[:] = 0.0
    x[:] = 1.0
    found, best = conjugate_gradients(Y, w, x, steps, E, examples, inputs)
    if found:
        return SEPARABLE, 0
    # Without steps none of the work arrays of Newton's method, N times N.
    return newton_steps(Y, w, E, x, best, tol, max_iter) if max_iter > 0 else (UNDECIDED, 0)


@entry
def decide_separable(Z, w, x, tol, max_iter):
    """Fill w and x, both for Z as given; return (status, number of Newton steps).

    SEPARABLE: all E = Z w > 0 beyond rounding; |Z^T x| / sum x bounds the stability from above.
    NOT_SEPARABLE: x >= 0 and |Z^T x| <= tol sum x |z|. UNDECIDED: neither.
    """
    P, N = x.shape[0], w.shape[0]
    examples, inputs = np.empty((4, P)), np.empty((4, N))
    a, E, c = examples[0], examples[1], inputs[0]
    w[:] = 0.0
    x[:] = 1.0
    zero = compute_scales(Z, a, c, E)
    if zero >= 0:
        x[:] = 0.0
        x[zero] = 1.0
        return NOT_SEPARABLE, 0
    Y = scaled_copy(Z, a, c)
    steps = gradient_steps(N)
    status, n = decide_scaled(Y, w, E, x, steps, min(tol, SHARP), max_iter, examples[2:], inputs[1:])
    if status != SEPARABLE:
        balanced = is_balanced(Z, a, Y, c, x, tol, E, inputs[1:])
        status = NOT_SEPARABLE if balanced else UNDECIDED
    for j in range(N):
        w[j] *= c[j]
    for mu in range(P):
        x[mu] *= a[mu]
    return status, n
