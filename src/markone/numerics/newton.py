"""Newton's method with a bounded number of steps, for many small systems of equations at once."""

from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.roots import FOUND, TOO_MANY_STEPS, Function, Roots


def newton_roots(
    f: Function, start: Array, args: tuple[Any, ...] = (), *, largest: float = 1.0, steps: int = 40
) -> Roots:
    """Root of d equations in d unknowns, for m problems at once: start and f(x, *args) have shape (d, m).

    Newton's method with differences for derivatives. A step changes no unknown by more than `largest` and
    is shortened when the step that would follow it is more than twice as long (|f| itself is a poor guide
    in a curved valley). A problem is found when a full step is below 1e-8, after which the error is at
    rounding level. The unknowns should be of order one (logarithms, say).
    """
    d, m = start.shape
    x, status = np.full((d, m), np.nan), np.full(m, TOO_MANY_STEPS)
    arrays = [np.broadcast_to(a, m) for a in args]
    index, here, step = np.arange(m), np.array(start, dtype=float), np.zeros((d, m))
    length, factor = np.full(m, np.inf), np.ones(m)
    with np.errstate(all="ignore"):
        for _ in range(steps):
            trial = here + factor * step
            new_step, new_length = _newton_step(*_value_and_jacobian(f, trial, arrays))
            better = new_length < 2 * length
            here, step = np.where(better, trial, here), np.where(better, new_step, step)
            step, length = _limit_step(step, largest), np.where(better, new_length, length)
            factor = np.where(better, 1.0, factor / 4)
            done = better & (length < 1e-8)
            x[:, index[done]], status[index[done]] = (here + step)[:, done], FOUND
            go = ~done & (factor > 1e-3)
            if not go.any():
                break
            index, length, factor, here, step = index[go], length[go], factor[go], here[:, go], step[:, go]
            arrays = [a[go] for a in arrays]
    return Roots(x, status)


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


def _limit_step(step: Array, largest: float) -> Array:
    return step * np.minimum(1, largest / np.abs(step).max(axis=0))
