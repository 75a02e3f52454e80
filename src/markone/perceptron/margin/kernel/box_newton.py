"""Newton's method for a concave quadratic function between bounds, also with sum S d = 0."""

from collections.abc import Iterator

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from markone.numerics.arrays import Array, Floats

# Slopes below this fraction of the largest are rounding.
FLAT = 1e-13
# Ridge of a singular K on the free examples, whose effect is removed by repeated steps.
SINGULAR, REPEATS = 1e-11, 6
# Relative rounding error of the elements of K.
ROUNDING = 1e-12


def solve_box(G: Floats, x: Floats, g: Floats, C: Floats, most: int = 50) -> tuple[Floats, int]:
    """Maximise g.d - 1/2 d.G d for d = x' - x, 0 <= x' <= C, by projected Newton steps. Returns x', steps."""
    x, g = x.copy(), g.copy()
    accuracy = 1e-14 * max(1.0, float(np.abs(g).max(initial=0.0)))
    for taken in range(most):
        free = np.flatnonzero(((x > 0) | (g > 0)) & ((x < C) | (g < 0)))
        if free.size == 0 or np.abs(g[free]).max() <= accuracy:
            return x, taken
        d = np.zeros_like(x)
        d[free] = _solve_definite(G, free, g[free])
        new, change = _line_search(G, x, g, C, d)
        if change is None:
            return x, taken
        x, g = new, g - change
    return x, most


def solve_balanced_box(
    K: Floats, S: Floats, x: Floats, h: Floats, C: Floats, most: int = 300
) -> tuple[Floats, int]:
    """Maximise h.d - 1/2 d.K d for d = S (x' - x), sum d = 0, 0 <= x' <= C. Returns x', steps.

    Active sets: solve for the free examples, stop at the first bound; at the optimum of a set release the
    bound with the largest slope. The threshold is the multiplier b: h = b on the free examples.
    """
    x, h, repeats = x.copy(), h.copy(), 0
    free = (x > 0) & (x < C)
    accuracy = FLAT * max(1.0, float(np.abs(h).max(initial=0.0)))
    for taken in range(most):
        members, b = np.flatnonzero(free), _middle_slope(S, x, h, C)
        if members.size:
            d = S[members] * _balanced_direction(K, members, h[members])
            with np.errstate(all="ignore"):
                change = K[:, members] @ (S[members] * d)
                if not np.isfinite(change).all():
                    # K is singular to rounding on the members: no further step is known.
                    return x, taken + 1
                room = np.where(d < 0.0, x[members] / -d, np.where(d > 0.0, (C - x)[members] / d, np.inf))
            first = int(room.argmin())
            t = min(1.0, float(room[first]))
            x[members] = np.clip(x[members] + t * d, 0.0, C[members])
            h = h - t * change
            if t < 1.0:
                x[members[first]] = 0.0 if d[first] < 0.0 else C[members[first]]
                free[members[first]] = False
                continue
            b, repeats = float(h[members].mean()), repeats + 1
            if repeats < REPEATS and np.abs(h[members] - b).max() > accuracy:
                continue
        repeats = 0
        gain = np.where(free, 0.0, np.where(x > 0.0, -S, S) * (h - b))
        if gain.max(initial=0.0) <= accuracy:
            return x, taken + 1
        free[gain.argmax()] = True
        if not members.size:
            # Two are needed to move: the best of either sign.
            other = np.where(S * np.where(x > 0.0, -1.0, 1.0) != np.sign(h - b)[gain.argmax()], gain, -1.0)
            free[other.argmax()] = True
    return x, most


def _balanced_direction(K: Floats, members: Array, h: Floats) -> Floats:
    """d with sum d = 0 and K d = h - b on the members: K is centred, which takes the threshold out."""
    if members.size == 1:
        return np.zeros(1)
    A = K[np.ix_(members, members)]
    # Differences of nearly equal elements may be nothing but their rounding.
    noise = ROUNDING * members.size * float(np.abs(A).max())
    means = A.mean(axis=0)
    A -= means + means[:, None] - means.mean()
    # The constant vector, of which the centred h has none, gets an eigenvalue like the others.
    A += float(np.diagonal(A).max()) / members.size
    return _solve_definite(A, np.arange(members.size), h - h.mean(), SINGULAR, noise)


def _middle_slope(S: Floats, x: Floats, h: Floats, C: Floats) -> float:
    """The threshold halfway between the bounds that the examples at x = 0 and x = C set."""
    lower = h[np.where(x > 0.0, -S, S) > 0].max(initial=-np.inf)
    upper = h[np.where(x > 0.0, -S, S) < 0].min(initial=np.inf)
    ends = [float(end) for end in (lower, upper) if np.isfinite(end)]
    return sum(ends) / max(len(ends), 1)


def _growing_ridges(first: float, last: float, noise: float) -> Iterator[float]:
    ridge = first
    while ridge < last:
        yield ridge
        ridge *= 100.0
    if noise > last:
        yield noise


def _solve_definite(G: Floats, free: Array, g: Floats, least: float = 1e-14, noise: float = 0.0) -> Floats:
    """G^-1 g with the smallest ridge that makes G definite: E = 1 may have many solutions, or none.

    It is at most 1/100 of the largest diagonal element or, if that is larger, the rounding `noise` of G.
    """
    largest = max(float(np.diagonal(G).max()), 1e-300)
    for ridge in _growing_ridges(least * largest * free.size, 1e-2 * largest, noise):
        A = G[np.ix_(free, free)].T  # symmetric, and in the order that LAPACK overwrites
        np.einsum("ii->i", A)[:] += ridge
        # Not scipy.linalg.cho_factor, whose checks take longer than the arithmetic of a few examples.
        L, info = dpotrf(A, lower=1, overwrite_a=1, clean=0)
        if info == 0:
            return np.asarray(dpotrs(L, g, lower=1)[0])
    raise ValueError(
        f"The kernel is not positive semi-definite: on {free.size} examples an eigenvalue is below "
        f"{-ridge:.3g}. No feature space has such scalar products (4.27); use another kernel."
    )


def _line_search(G: Floats, x: Floats, g: Floats, C: Floats, d: Floats) -> tuple[Floats, Floats | None]:
    """Longest step t = 1, 1/4, 1/16, ... along the path clip(x + t d) with sufficient increase."""
    t = 1.0
    for _ in range(25):
        new = np.clip(x + t * d, 0.0, C)
        dx = new - x
        change = G @ dx
        rise = float(dx @ g)
        if rise - 0.5 * float(dx @ change) > 0.1 * rise > 0:
            return new, change
        t /= 4
    return x, None
