"""Newton's method for a concave quadratic function between bounds."""

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve


def solve_box(
    G: np.ndarray, x: np.ndarray, g: np.ndarray, C: np.ndarray, most: int = 50
) -> tuple[np.ndarray, int]:
    """Maximise g.d - 1/2 d.G d for d = x' - x, 0 <= x' <= C, by projected Newton steps. Returns x', steps."""
    x, g = x.copy(), g.copy()
    accuracy = 1e-14 * max(1.0, float(np.abs(g).max(initial=0.0)))
    for taken in range(most):
        free = np.flatnonzero(((x > 0) | (g > 0)) & ((x < C) | (g < 0)))
        if free.size == 0 or np.abs(g[free]).max() <= accuracy:
            return x, taken
        d = np.zeros_like(x)
        d[free] = _newton_direction(G, free, g[free])
        new, change = _line_search(G, x, g, C, d)
        if change is None:
            return x, taken
        x, g = new, g - change
    return x, most


def _newton_direction(G: np.ndarray, free: np.ndarray, g: np.ndarray) -> np.ndarray:
    """G^-1 g with the smallest ridge that makes G definite: E = 1 may have many solutions, or none."""
    largest = max(float(np.diagonal(G).max()), 1e-300)
    ridge = 1e-14 * largest * free.size
    while ridge < 1e-2 * largest:
        A = G[np.ix_(free, free)].T  # symmetric, and in the order that LAPACK overwrites
        np.einsum("ii->i", A)[:] += ridge
        try:
            factor = cho_factor(A, lower=True, overwrite_a=True, check_finite=False)
            return cho_solve(factor, g, check_finite=False)
        except LinAlgError:
            ridge *= 100.0
    raise ValueError(
        f"The kernel is not positive semi-definite: on {free.size} examples an eigenvalue is below "
        f"{-ridge / 100:.3g}. No feature space has such scalar products (4.27); use another kernel."
    )


def _line_search(
    G: np.ndarray, x: np.ndarray, g: np.ndarray, C: np.ndarray, d: np.ndarray
) -> tuple[np.ndarray, np.ndarray | None]:
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
