"""Minimisation of h(w) = 1/2 sum (1 - E)_+^2: potentials, tests, line search, conjugate gradients.

Z is dense or `Sparse`; its rows have length 2 at most.
"""

import math

from markone.numerics._rows import add_weighted_examples, dot_example
from markone.numerics.compiling import entry, part, piece
from markone.perceptron.separable._normal import EPS


@piece
def fill_potentials(Z, w, E):
    for mu in range(E.shape[0]):
        E[mu] = dot_example(Z, mu, w)


@part
def inner_product(u, v):
    total = 0.0
    for i in range(u.shape[0]):
        total += u[i] * v[i]
    return total


@part
def lowest_value(v):
    low = math.inf
    for value in v:
        # No min here, no max below: numba compiles each as a separate function.
        low = value if value < low else low
    return low


@part
def copy_into(source, target):
    for i in range(source.shape[0]):
        target[i] = source[i]


@piece
def is_separating(Z, w, E):
    """Whether all E exceed the rounding of a dot product, N eps |z| |w|, for rows of length 2 at most."""
    fill_potentials(Z, w, E)
    return lowest_value(E) > 2.0 * (w.shape[0] + 2) * EPS * math.sqrt(inner_product(w, w))


@piece
def relative_imbalance(Z, r, g):
    """Fill g = Z^T r; return |g| / sum r."""
    for j in range(g.shape[0]):
        g[j] = 0.0
    total = add_weighted_examples(Z, r, g)
    return math.sqrt(inner_product(g, g)) / total if total > 0.0 else math.inf


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
            return 0.0
    if not low < high:
        return 0.0
    if high == math.inf:
        return 2.0 * abs(low) + 1.0
    return 2.0 * high - 1.0 if low == -math.inf and high < 0.0 else 0.5 * (max(low, -abs(high)) + high)


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


@part
def move_along(w, E, d, dE, t):
    for j in range(w.shape[0]):
        w[j] += t * d[j]
    for mu in range(E.shape[0]):
        E[mu] += t * dE[mu]


@piece
def advance_weights(Z, w, E, d, dE):
    """Step along d to a w that separates, if there is one (True), else to the minimum of h."""
    t = separating_step(E, dE)
    if t != 0.0:
        move_along(w, E, d, dE, t)
        if is_separating(Z, w, E):
            return True
        move_along(w, E, d, dE, -t)
    move_along(w, E, d, dE, line_search(E, dE))
    return False


@part
def gradient_steps(N):
    """Number of conjugate gradient steps before Newton's method."""
    return 4 + min(N // 4, 256)


@entry
def conjugate_gradients(Z, w, x, steps, of_examples, of_inputs):
    """Minimise h by conjugate gradients (Polak and Ribiere), O(PN) a step: identifies most of the active set.

    The rows of `of_examples` are S and a, not used, E and two work rows; those of `of_inputs` are c, not
    used, and three work rows; E and work rows start as zeros. Returns whether w separates, and the least
    |Z^T x| / sum x found, whose x is kept.
    """
    # One assignment a line: numba compiles a tuple for each multiple assignment.
    E = of_examples[2]
    r = of_examples[3]
    dE = of_examples[4]
    g = of_inputs[1]
    p = of_inputs[2]
    old = of_inputs[3]
    P = E.shape[0]
    N = w.shape[0]
    last = best = math.inf
    for _ in range(steps):
        for mu in range(P):
            r[mu] = 1.0 - E[mu] if E[mu] < 1.0 else 0.0
        ratio = relative_imbalance(Z, r, g)
        if ratio < best:
            best = ratio
            for mu in range(P):
                x[mu] = r[mu]
        if ratio == 0.0:
            return False, best
        if ratio == math.inf:
            # A gradient of rounding errors led to all E >= 1 without a proof: restart.
            for j in range(N):
                w[j] = 0.0
            for mu in range(P):
                E[mu] = 0.0
            return False, best
        # Sums are written out: inlining one-line functions dominates the compile time.
        new = both = 0.0
        for j in range(N):
            new += g[j] * g[j]
        for j in range(N):
            both += g[j] * old[j]
        turn = (new - both) / last if last > 0.0 else 0.0
        turn = turn if turn > 0.0 else 0.0
        for j in range(N):
            p[j] = g[j] + turn * p[j]
            old[j] = g[j]
        last = new
        fill_potentials(Z, p, dE)
        t = line_search(E, dE)
        low = math.inf
        for j in range(N):
            w[j] += t * p[j]
        for mu in range(P):
            E[mu] += t * dE[mu]
        for mu in range(P):
            low = E[mu] if E[mu] < low else low
        if low > 0.0 and is_separating(Z, w, E):
            return True, best
    return False, best


# Entries for `degenerate.py` and `proving.py`: the pieces above are only inlined.
relative_imbalance_entry = entry(relative_imbalance.py_func)
advance_weights_entry = entry(advance_weights.py_func)
is_separating_entry = entry(is_separating.py_func)
