"""Minimisation of h(w) = 1/2 sum (1 - E)_+^2: potentials, tests, line search, conjugate gradients.

Z is dense or `Sparse`; its rows have length 2 at most.
"""

import math

from markone.numerics._rows import add_weighted_examples, dot_example
from markone.numerics._vectors import copy_array, dot_product
from markone.numerics.compiling import entry, part, piece

EPS = 2.220446049250313e-16


@piece
def fill_potentials(Z, w, E):
    for mu in range(E.shape[0]):
        E[mu] = dot_example(Z, mu, w)


@part
def lowest_value(v):
    low = math.inf
    for value in v:
        low = value if value < low else low
    return low


def _is_separating(Z, w, E):
    """Whether all E exceed the rounding of a dot product, N eps |z| |w|, for rows of length 2 at most."""
    fill_potentials(Z, w, E)
    return lowest_value(E) > 2.0 * (w.shape[0] + 2) * EPS * math.sqrt(dot_product(w, w))


def _relative_imbalance(Z, r, g):
    """Fill g = Z^T r; return |g| / sum r."""
    g[:] = 0.0
    total = add_weighted_examples(Z, r, g)
    return math.sqrt(dot_product(g, g)) / total if total > 0.0 else math.inf


@piece
def separating_step(E, dE):
    """Find a t with all E + t dE > 0, or return 0."""
    low, high = -math.inf, math.inf
    for mu in range(E.shape[0]):
        if dE[mu] > 0.0:
            low = max(low, -E[mu] / dE[mu])
        elif dE[mu] < 0.0:
            high = min(high, -E[mu] / dE[mu])
        elif E[mu] <= 0.0:
            high = -math.inf
    t = 0.0
    if low < high:
        t = 0.5 * (max(low, -abs(high)) + high)
        if high == math.inf:
            t = 2.0 * abs(low) + 1.0
        elif low == -math.inf and high < 0.0:
            t = 2.0 * high - 1.0
    return t


@piece
def line_search(E, dE):
    """Return the t that minimises h(w + t d): Newton in one dimension on the piecewise linear h'(t)."""
    low = 0.0
    high = math.inf
    t = 1.0
    for _ in range(40):
        slope = curvature = 0.0
        for mu in range(E.shape[0]):
            r = 1.0 - E[mu] - t * dE[mu]
            r = r if r > 0.0 else 0.0
            slope -= dE[mu] * r
            curvature += dE[mu] * dE[mu] if r > 0.0 else 0.0
        if slope > 0.0:
            high = t
        else:
            low = t
        step = slope / curvature if curvature > 0.0 else 0.0
        if abs(step) <= 1e-4 * t:
            return t - step
        far = 2.0 * low + 1.0
        t = t - step if low < t - step < high else 0.5 * (low + (high if high < far else far))
    return low


@piece
def move_along(w, E, d, dE, t):
    for j in range(w.shape[0]):
        w[j] += t * d[j]
    for mu in range(E.shape[0]):
        E[mu] += t * dE[mu]


is_separating, is_separating_entry = piece(_is_separating), entry(_is_separating)
relative_imbalance, relative_imbalance_entry = piece(_relative_imbalance), entry(_relative_imbalance)


def _advance_weights(Z, w, E, d, dE):
    """Step along d to a w that separates, if there is one (True), else to the minimum of h."""
    t = separating_step(E, dE)
    found = False
    if t != 0.0:
        move_along(w, E, d, dE, t)
        found = is_separating(Z, w, E)
        if not found:
            move_along(w, E, d, dE, -t)
    if not found:
        move_along(w, E, d, dE, line_search(E, dE))
    return found


advance_weights, advance_weights_entry = piece(_advance_weights), entry(_advance_weights)


@part
def gradient_steps(N):
    """Number of conjugate gradient steps before Newton's method."""
    return 4 + min(N // 4, 256)


@part
def turn_direction(g, old, p, last):
    """Update the direction p (Polak and Ribiere) and old = g; return |g|^2. `last` is |old|^2."""
    new, both = dot_product(g, g), dot_product(g, old)
    turn = max((new - both) / last, 0.0) if last > 0.0 else 0.0
    for j in range(p.shape[0]):
        p[j] = g[j] + turn * p[j]
        old[j] = g[j]
    return new


@piece
def conjugate_gradients(Z, w, x, steps, E, examples, inputs):
    """Minimise h by conjugate gradients, O(PN) a step: identifies most of the active set.

    w starts as zeros; `examples` and `inputs` are work arrays, two and three rows. Fills E. Returns whether
    w separates, and the least |Z^T x| / sum x found, whose x is kept.
    """
    r, dE, g, p, old = examples[0], examples[1], inputs[0], inputs[1], inputs[2]
    E[:] = 0.0
    inputs[:] = 0.0
    last = best = math.inf
    for _ in range(steps):
        for mu in range(E.shape[0]):
            r[mu] = 1.0 - E[mu] if E[mu] < 1.0 else 0.0
        ratio = relative_imbalance(Z, r, g)
        if ratio < best:
            best = ratio
            copy_array(r, x)
        if ratio == 0.0:
            break
        if ratio == math.inf:
            # A gradient of rounding errors led to all E >= 1 without a proof: restart.
            w[:] = 0.0
            E[:] = 0.0
            break
        last = turn_direction(g, old, p, last)
        fill_potentials(Z, p, dE)
        move_along(w, E, p, dE, line_search(E, dE))
        if lowest_value(E) > 0.0 and is_separating(Z, w, E):
            return True, best
    return False, best
