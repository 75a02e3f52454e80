"""Roots of many one-dimensional equations at once, each inside its own bracket.

After at most `steps` evaluations each element is found or has a status that says why not.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array

FOUND, NO_BRACKET, NOT_A_NUMBER, TOO_MANY_STEPS = range(4)
REASONS = {
    FOUND: "found",
    NO_BRACKET: "the function has the same sign at both ends of the bracket",
    NOT_A_NUMBER: "the function or an end of the bracket is not a number",
    TOO_MANY_STEPS: "the number of steps was used up",
}
EPS = np.finfo(float).eps

Function = Callable[..., Array]


@dataclass(frozen=True)
class Roots:
    """x is NaN wherever status is not FOUND; REASONS[status] says why."""

    x: Array
    status: Array

    def status_text(self, index: int) -> str:
        return REASONS[int(self.status.flat[index])]


def find_roots(
    f: Function,
    low: ArrayLike,
    high: ArrayLike,
    args: tuple[Any, ...] = (),
    *,
    rtol: float = 2 * EPS,
    atol: float = 1e-20,
    steps: int = 120,
) -> Roots:
    """Root of f(x, *args) between low and high, elementwise (Chandrupatla 1997: a safeguarded parabola).

    Arguments broadcast; f is called with one-dimensional arrays of the elements still open, so that
    finished ones cost nothing. The iteration stops at |bracket| <= 4 (rtol |x| + atol) or f = 0.
    """
    low, high, *rest = np.broadcast_arrays(low, high, *args)
    shape = low.shape
    arrays = [np.array(a, dtype=float).ravel() for a in rest]
    with np.errstate(all="ignore"):
        x, status = _chandrupatla_search(f, low.ravel() * 1.0, high.ravel() * 1.0, arrays, rtol, atol, steps)
    return Roots(x.reshape(shape), status.reshape(shape))


def widen_bracket(
    f: Function,
    low: ArrayLike,
    high: ArrayLike,
    args: tuple[Any, ...] = (),
    *,
    factor: float = 2.0,
    times: int = 40,
) -> Array:
    """Move high away from low by `factor` until f(high) > 0, at most `times` times; returns high."""
    low, high, *rest = np.broadcast_arrays(low, high, *args)
    high = np.array(high, dtype=float)
    with np.errstate(all="ignore"):
        for _ in range(times):
            short = f(high.ravel(), *(a.ravel() for a in rest)).reshape(high.shape) <= 0
            if not short.any():
                break
            high[short] = low[short] + factor * (high[short] - low[short])
    return high


def _initial_status(fa: Array, fb: Array, a: Array, b: Array) -> Array:
    status = np.full(a.shape, -1)
    status[np.sign(fa) * np.sign(fb) > 0] = NO_BRACKET
    status[np.isnan(fa) | np.isnan(fb) | np.isnan(a) | np.isnan(b)] = NOT_A_NUMBER
    return status


def _chandrupatla_search(
    f: Function, a: Array, b: Array, args: list[Array], rtol: float, atol: float, steps: int
) -> tuple[Array, Array]:
    x = np.full(a.shape, np.nan)
    fa, fb = f(a, *args), f(b, *args)
    status = _initial_status(fa, fb, a, b)
    index = np.flatnonzero(status < 0)
    a, b, fa, fb, args = a[index], b[index], fa[index], fb[index], [v[index] for v in args]
    c, fc = a, fa
    # b is the newest point, a the other end of the bracket, c the point before.
    for _ in range(steps):
        best = np.where(np.abs(fa) < np.abs(fb), a, b)
        small = 2 * (rtol * np.abs(best) + atol) / np.abs(b - a)
        lost = np.isnan(fb)
        done = ~lost & ((small > 0.5) | (a == b) | (fa == 0) | (fb == 0))
        x[index[done]], status[index[done]] = best[done], FOUND
        status[index[lost]] = NOT_A_NUMBER
        go = ~(done | lost)
        if not go.any():
            return x, status
        index, a, b, c, fa, fb, fc, small = (v[go] for v in (index, a, b, c, fa, fb, fc, small))
        args = [v[go] for v in args]
        t = np.clip(_next_fraction(a, b, c, fa, fb, fc), small, 1 - small)
        new = b + t * (a - b)
        f_new = f(new, *args)
        same = np.sign(f_new) == np.sign(fb)
        c, fc = np.where(same, b, a), np.where(same, fb, fa)
        a, fa = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = new, f_new
    status[index] = TOO_MANY_STEPS
    return x, status


def _next_fraction(a: Array, b: Array, c: Array, fa: Array, fb: Array, fc: Array) -> Array:
    """The next point as a fraction of the way from b to a: inverse parabola if safe, else one half."""
    xi, Y = (b - a) / (c - a), (fb - fa) / (fc - fa)
    safe = (xi > Y * Y) & (1 - xi > (1 - Y) ** 2)
    parabola = fb / (fa - fb) * fc / (fa - fc) + (c - b) / (a - b) * fb / (fc - fb) * fa / (fc - fa)
    return np.where(safe, parabola, 0.5)
