"""Separability by Newton's method on h(w) = 1/2 sum (1 - E)_+^2, with a proof for either answer.

Z has the rows S^mu xi^mu, E = Z w. All E > 0 prove separability. Let r be the residuals 1 - E of a
least-squares solution on some of the examples, S: then Z_S^T r = 0, and if no r is negative sum r E = 0
for every w, so that not all E can be positive. Both are tested at every step.
"""

import math

import numpy as np

from markone.numerics._cholesky import HIGH, padded_columns
from markone.numerics._rows import add_example, n_columns, n_rows, squared_norm
from markone.numerics.compiling import entry, part
from markone.perceptron.separable._descent import (
    advance_weights,
    conjugate_gradients,
    copy_into,
    fill_potentials,
    gradient_steps,
    inner_product,
    lowest_value,
    move_along,
    relative_imbalance,
)
from markone.perceptron.separable._normal import (
    add_outer_products,
    add_outer_products_loops,
    add_outer_products_tiles,
    factor_in_panels,
    factor_loops,
    factor_tiles,
    solve_normal_equations,
    solve_tiles,
)
from markone.perceptron.separable._scales import equilibrate_rows, scaled_copy

SEPARABLE, UNDECIDED, NOT_SEPARABLE = 1, 0, -1
# |Z^T x| / sum x that is zero up to rounding. Above it the search for a better x continues.
SHARP = 1e-12


@entry
def update_active_set(E, r, inside, entered, left):
    """Fill r = (1 - E)_+ and the examples that entered or left the set E < 1 since the last call."""
    n_in, n_out = 0, 0
    for mu in range(E.shape[0]):
        r[mu] = max(1.0 - E[mu], 0.0)
        if r[mu] > 0.0 and not inside[mu]:
            entered[n_in] = mu
            n_in += 1
        elif r[mu] == 0.0 and inside[mu]:
            left[n_out] = mu
            n_out += 1
        inside[mu] = r[mu] > 0.0
    return n_in, n_out


@entry
def full_step_residuals(r, dE, inside, y):
    """Fill y = 1 - E after the full step on the active set. True if none is negative."""
    low = 0.0
    for mu in range(r.shape[0]):
        y[mu] = r[mu] - dE[mu] if inside[mu] else 0.0
        low = min(low, y[mu])
    return low == 0.0


@part
def newton_steps(Z, w, E, x, best, sharp, max_iter, H, L, gather, decompose, solve):
    """Newton steps from w, whose potentials are E; `best` is |Z^T x| / sum x of the given x.

    H and L, zeros, are storage for the normal matrix and its factor, in the layout of the three functions.
    """
    P, N = n_rows(Z), n_columns(Z)
    dE, more, r, y = np.empty(P), np.empty(P), np.empty(P), np.empty(P)
    inside, entered, left = np.zeros(P, np.bool_), np.empty(P, np.int64), np.empty(P, np.int64)
    g, d, correction = np.empty(N), np.empty(N), np.empty(N)
    h_last, stalled = math.inf, 0
    for n in range(max_iter):
        n_in, n_out = update_active_set(E, r, inside, entered, left)
        ratio = relative_imbalance(Z, r, g)
        if ratio < best:
            best = ratio
            copy_into(r, x)
        if best <= sharp:
            return NOT_SEPARABLE, n
        h = inner_product(r, r)
        stalled = stalled + 1 if h > (1.0 - 1e-9) * h_last else 0
        if stalled == 3:
            return UNDECIDED, n
        h_last = h
        for rows, a in ((entered[:n_in], 1.0), (left[:n_out], -1.0)):
            gather(Z, rows, a, H)
        if n_in + n_out > 0 and not decompose(H, L):
            return UNDECIDED, n
        solve(L, g, d)
        fill_potentials(Z, d, dE)
        for _ in range(3):
            if not full_step_residuals(r, dE, inside, y):
                break
            ratio = relative_imbalance(Z, y, g)
            if ratio < best:
                best = ratio
                copy_into(y, x)
            if best <= sharp:
                return NOT_SEPARABLE, n + 1
            # Iterative refinement: the same factor removes the error of the shift and of rounding.
            solve(L, g, correction)
            fill_potentials(Z, correction, more)
            move_along(d, dE, correction, more, 1.0)
        if advance_weights(Z, w, E, d, dE):
            return SEPARABLE, n + 1
    return UNDECIDED, max_iter


@entry
def newton_small(Z, w, E, x, best, sharp, max_iter):
    """`iterate` for few inputs, compiled only if conjugate gradients do not decide."""
    N = n_columns(Z)
    H, L = np.zeros((N, N)), np.zeros((N, N))
    return newton_steps(
        Z,
        w,
        E,
        x,
        best,
        sharp,
        max_iter,
        H,
        L,
        add_outer_products_loops,
        factor_loops,
        solve_normal_equations,
    )


@entry
def newton_tiles(Z, w, E, x, best, sharp, max_iter):
    """`iterate` for some dozens of inputs or more, dense."""
    N, n = n_columns(Z), padded_columns(n_columns(Z))
    H, L = np.zeros((n, n)), np.zeros((N + HIGH, n))
    return newton_steps(
        Z, w, E, x, best, sharp, max_iter, H, L, add_outer_products_tiles, factor_tiles, solve_tiles
    )


@entry
def newton_large(Z, w, E, x, best, sharp, max_iter):
    """`iterate` for many inputs, dense or sparse."""
    N = n_columns(Z)
    H, L = np.zeros((N, N)), np.zeros((N, N))
    return newton_steps(
        Z, w, E, x, best, sharp, max_iter, H, L, add_outer_products, factor_in_panels, solve_normal_equations
    )


@part
def gradients_then_newton(Z, w, x, sharp, max_iter):
    """Return (status, number of steps); x becomes the one with the least |Z^T x| / sum x found."""
    P, N = n_rows(Z), n_columns(Z)
    of_examples, of_inputs = np.zeros((5, P)), np.zeros((4, N))
    E = of_examples[2]
    fill_potentials(Z, w, E)
    found, best = conjugate_gradients(Z, w, x, gradient_steps(N), of_examples, of_inputs)
    if found:
        return SEPARABLE, 0
    if max_iter == 0:
        return UNDECIDED, 0
    H, L = np.zeros((N, N)), np.zeros((N, N))
    return newton_steps(
        Z, w, E, x, best, sharp, max_iter, H, L, add_outer_products, factor_in_panels, solve_normal_equations
    )


@entry
def is_balanced(Y, c, x, tol):
    """Whether |Z^T x| <= tol sum x |z| for the columns as given and as scaled; rows may be scaled."""
    P, N = x.shape[0], c.shape[0]
    g, one, back = np.empty(N), np.ones(P), np.empty(N)
    # Columns as given, up to one common factor that keeps their squares finite.
    smallest = lowest_value(c)
    for j in range(N):
        back[j] = smallest / c[j]
    rows = scaled_copy(Y, one, back)
    total, weighted = 0.0, 0.0
    for mu in range(P):
        total += x[mu]
        weighted += x[mu] * math.sqrt(squared_norm(rows, mu))
    return relative_imbalance(Y, x, g) <= tol and relative_imbalance(rows, x, g) * total <= tol * weighted


@entry
def decide_separable(Z, w, x, tol, max_iter):
    """Fill w and x, both for Z as given; return (status, number of Newton steps).

    SEPARABLE: all E = Z w > 0 beyond rounding; |Z^T x| / sum x bounds the stability from above.
    NOT_SEPARABLE: x >= 0 and |Z^T x| <= tol sum x |z|. UNDECIDED: neither.
    """
    P, N = n_rows(Z), n_columns(Z)
    a, c = np.empty(P), np.empty(N)
    w[:] = 0.0
    x[:] = 1.0
    Y, zero = equilibrate_rows(Z, a, c)
    if zero >= 0:
        x[:] = 0.0
        x[zero] = 1.0
        return NOT_SEPARABLE, 0
    status, n = gradients_then_newton(Y, w, x, min(tol, SHARP), max_iter)
    if status != SEPARABLE:
        status = NOT_SEPARABLE if is_balanced(Y, c, x, tol) else UNDECIDED
    for j in range(N):
        w[j] *= c[j]
    for mu in range(P):
        x[mu] *= a[mu]
    return status, n


@entry
def measure_candidate(Z, w, x):
    """Return the lowest E, |w|, |Z^T x|, sum x and sum x |z|."""
    E, g = np.empty(x.shape[0]), np.zeros(w.shape[0])
    fill_potentials(Z, w, E)
    total, weighted = 0.0, 0.0
    for mu in range(x.shape[0]):
        add_example(Z, mu, x[mu], g)
        total += x[mu]
        weighted += x[mu] * math.sqrt(squared_norm(Z, mu))
    return lowest_value(E), math.sqrt(inner_product(w, w)), math.sqrt(inner_product(g, g)), total, weighted
