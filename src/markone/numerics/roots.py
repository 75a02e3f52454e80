"""Roots of many equations at once: one-dimensional ones in brackets, small systems by Newton's method.

After at most `steps` evaluations each element is found or has a status that says why not.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array

# NO_BRACKET: the function has the same sign at both ends; NOT_A_NUMBER: it or an end of the bracket is NaN.
FOUND, NO_BRACKET, NOT_A_NUMBER, TOO_MANY_STEPS = range(4)
EPS = np.finfo(float).eps

Function = Callable[..., Array]


@dataclass(frozen=True)
class Roots:
    """x is NaN wherever status is not FOUND; `newton_roots` adds the derivatives (m, d, d) near the root."""

    x: Array
    status: Array
    slope: Array = field(default_factory=lambda: np.empty(0))


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


def _chandrupatla_search(
    f: Function, a: Array, b: Array, args: list[Array], rtol: float, atol: float, steps: int
) -> tuple[Array, Array]:
    x = np.full(a.shape, np.nan)
    fa, fb = f(a, *args), f(b, *args)
    status = np.full(a.shape, -1)
    status[np.sign(fa) * np.sign(fb) > 0] = NO_BRACKET
    status[np.isnan(fa) | np.isnan(fb) | np.isnan(a) | np.isnan(b)] = NOT_A_NUMBER
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


def newton_roots(
    f: Function,
    start: Array,
    args: tuple[Any, ...] = (),
    *,
    largest: float = 1.0,
    steps: int = 40,
    rounding: float = 0.0,
) -> Roots:
    """Root of d equations in d unknowns, for m problems at once: start and f(x, *args) have shape (d, m).

    Newton's method with differences for derivatives. A step changes no unknown by more than `largest` and
    is shortened when the step that would follow it is more than twice as long (|f| itself is a poor guide
    in a curved valley). A problem is found when a full step is below 1e-8, after which the error is at
    rounding level, or below 1e-5 where |f| is below `rounding`. The unknowns should be of order one
    (logarithms, say).
    """
    d, m = start.shape
    x, status, slopes = np.full((d, m), np.nan), np.full(m, TOO_MANY_STEPS), np.full((m, d, d), np.nan)
    arrays = [np.broadcast_to(a, m) for a in args]
    index, here, step = np.arange(m), np.array(start, dtype=float), np.zeros((d, m))
    length, factor = np.full(m, np.inf), np.ones(m)
    with np.errstate(all="ignore"):
        for _ in range(steps):
            trial = here + factor * step
            value, slope = _value_and_jacobian(f, trial, arrays)
            new_step, new_length = _newton_step(value, slope)
            better = new_length < 2 * length
            here, step = np.where(better, trial, here), np.where(better, new_step, step)
            step = step * np.minimum(1, largest / np.abs(step).max(axis=0))
            length = np.where(better, new_length, length)
            factor = np.where(better, 1.0, factor / 4)
            done = better & (length < np.where(np.abs(value).max(axis=0) < rounding, 1e-5, 1e-8))
            x[:, index[done]], status[index[done]] = (here + step)[:, done], FOUND
            slopes[index[done]] = slope[done]
            go = ~done & (factor > 1e-3)
            if not go.any():
                break
            index, length, factor, here, step = index[go], length[go], factor[go], here[:, go], step[:, go]
            arrays = [a[go] for a in arrays]
    return Roots(x, status, slopes)


def _value_and_jacobian(f: Function, x: Array, args: list[Array]) -> tuple[Array, Array]:
    """f (d, m) and df_i/dx_j (m, d, d) by differences, all in one call of f."""
    d, m = x.shape
    h = 1e-7
    points = np.concatenate([x, *(x + h * np.eye(d)[:, [j]] for j in range(d))], axis=1)
    values = f(points, *(np.tile(a, d + 1) for a in args)).reshape(d, d + 1, m)
    return values[:, 0], ((values[:, 1:] - values[:, :1]) / h).transpose(2, 0, 1)


def _newton_step(value: Array, slope: Array) -> tuple[Array, Array]:
    """The step (d, m) and its length, the largest change of an unknown; NaN where there is none."""
    good = np.asarray(np.isfinite(slope).all(axis=(1, 2)) & np.isfinite(value).all(axis=0))
    good[good] = np.linalg.det(slope[good]) != 0
    step = np.full(value.shape, np.nan)
    step[:, good] = -np.linalg.solve(slope[good], value.T[good][..., None])[..., 0].T
    return step, np.abs(step).max(axis=0)
