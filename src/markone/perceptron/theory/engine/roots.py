"""Roots of the equations of a student, for a whole curve at once.

A few damped iterations give the start of Newton's method; what it does not find is continued from a large
penalty. Every root is checked with twice the nodes.
"""

from functools import partial

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.roots import Roots, newton_roots
from markone.perceptron.theory.engine.equations import (
    COARSE,
    NODES,
    NOT_FOUND,
    VANISHING,
    Arguments,
    Equations,
)

# Largest residual of the check, and largest change of the unknowns by it.
RESIDUAL, STEP = 1e-9, 1e-10


def find_checked_roots(equations: Equations, args: Arguments) -> tuple[Array, Array]:
    """Unknowns (d, m), NaN where no root was found, and the reasons for that."""
    m = args[0].size
    start = np.tile(equations.find_start()[:, None], m)
    start = _iterate_damped(equations, start, args, 8)
    rough = _find_newton(equations, start, args, COARSE)
    x, reason = _check_roots(equations, rough, np.full(m, NOT_FOUND, dtype=object), args)
    for rescue in (_solve_with_many_nodes, _rescue_by_iteration, continue_in_penalty):
        lost = reason == NOT_FOUND
        if lost.any():
            rest = tuple(a[lost] for a in args)
            x[:, lost], reason[lost] = _check_roots(equations, *rescue(equations, start[:, lost], rest), rest)
    return x, reason


def _find_newton(equations: Equations, start: Array, args: Arguments, n: int) -> Roots:
    # Where |w| diverges a residual at rounding level leaves a few digits.
    return newton_roots(partial(equations.log_residuals, n=n), start, args, rounding=1e-13)


def _solve_with_many_nodes(equations: Equations, start: Array, args: Arguments) -> tuple[Roots, Array]:
    found = _find_newton(equations, start, args, 2 * NODES)
    return found, np.full(start.shape[1], NOT_FOUND, dtype=object)


def _rescue_by_iteration(equations: Equations, start: Array, args: Arguments) -> tuple[Roots, Array]:
    """Newton's method from a state after many damped iterations, first long and then short ones."""
    x = _iterate_damped(equations, start, args, 100)
    x = _iterate_damped(equations, x, args, 150, 0.15)
    return _find_newton(equations, x, args, 2 * NODES), equations.explain_failures(x, args)


def continue_in_penalty(equations: Equations, start: Array, args: Arguments) -> tuple[Roots, Array]:
    """From l2 = 10 down, by factors of 3, with the last root as the next start."""
    alpha, noise, l1, l2 = args
    x, target = start.copy(), np.maximum(l2, 1e-9)
    now = np.maximum(target, 10.0)
    while True:
        points = (alpha, noise, l1, np.where(now <= target, l2, now))
        x = _iterate_damped(equations, x, points, 5)
        found = _find_newton(equations, x, points, NODES)
        x = np.where(np.isnan(found.x), x, found.x)
        if (now <= target).all():
            return found, equations.explain_failures(x, args)
        now = np.maximum(target, now / 3)


def _iterate_damped(
    equations: Equations, x: Array, args: Arguments, times: int, factor: float = 0.5
) -> Array:
    """Fixed point iteration; steps of b shrink where they change sign, since b may sit at a kink."""
    last, reach = 0.0, np.full(x.shape[1], np.inf)
    with np.errstate(all="ignore"):
        for _ in range(times):
            step = equations.damped_steps(x, args, factor)
            if equations.intercept:
                least = 0.05 * equations.field_width(x) / equations.loss.scale
                reach = np.where(step[-1] * last < 0, np.maximum(np.abs(last) / 2, least), 1.3 * reach)
                step[-1] = last = np.clip(step[-1], -reach, reach)
            x = x + step
    return x


def _check_roots(equations: Equations, found: Roots, reason: Array, args: Arguments) -> tuple[Array, Array]:
    """Roots whose equations do not change with twice the nodes; the given reasons where there are none."""
    x = np.full_like(found.x, np.nan)
    open_ = np.flatnonzero(~np.isnan(found.x[0]) & ~equations.is_hidden_by_b(found.x))
    reason = np.where(np.isnan(found.x[0]), reason, VANISHING)
    here, nodes = found.x[:, open_], NODES
    while open_.size and nodes <= equations.most_nodes:
        rest, slope = tuple(a[open_] for a in args), found.slope[open_]
        here = _refine_roots(equations, here, slope, rest, nodes)
        value = equations.log_residuals(here, *rest, n=2 * nodes)
        step = _chord_step(slope, value)
        # Where the equations are ill-conditioned the step may stay larger.
        good = (np.abs(step).max(axis=0) < STEP) | (2 * nodes > equations.most_nodes)
        good &= np.abs(value).max(axis=0) < RESIDUAL
        x[:, open_[good]], reason[open_[good]] = (here + step)[:, good], ""
        open_, here, nodes = open_[~good], here[:, ~good], 2 * nodes
    if open_.size:
        reason[open_] = equations.explain_failures(here, tuple(a[open_] for a in args))
    return x, reason


def _refine_roots(equations: Equations, x: Array, slope: Array, args: Arguments, n: int) -> Array:
    """Roots with n nodes from those with fewer: with the derivatives there, or else by Newton's method."""
    here = x
    for _ in range(6):
        step = _chord_step(slope, equations.log_residuals(here, *args, n=n))
        here = here + step
        lost = ~(np.abs(step).max(axis=0) < 1e-7)
        if not lost.any():
            return here
    rest = tuple(a[lost] for a in args)
    better = _find_newton(equations, x[:, lost], rest, n).x
    here[:, lost] = np.where(np.isnan(better), x[:, lost], better)
    return here


def _chord_step(slope: Array, value: Array) -> Array:
    return -np.linalg.solve(slope, value.T[..., None])[..., 0].T
