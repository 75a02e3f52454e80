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
    INACCURATE,
    NODES,
    NOT_FOUND,
    VANISHING,
    Arguments,
    Equations,
)

# Largest residual of the check, and largest change of the unknowns by it.
RESIDUAL, STEP = 5e-10, 1e-10
# Of a continuation: the most values of l2, and the shortest step of ln l2.
MOST_PENALTIES, SHORTEST = 40, 0.1


def find_checked_roots(equations: Equations, args: Arguments) -> tuple[Array, Array]:
    """Unknowns (d, m), NaN where no root was found, and the reasons for that."""
    m = args[0].size
    begin = np.tile(equations.find_start()[:, None], m)
    start = _iterate_damped(equations, begin, args, 8)
    rough = _find_newton(equations, start, args, COARSE)
    x, reason = _check_roots(equations, rough, np.full(m, NOT_FOUND, dtype=object), args)
    rescues = ((_solve_with_many_nodes, start), (continue_in_penalty, begin), (_rescue_by_iteration, start))
    for rescue, first in rescues:
        lost = (reason == NOT_FOUND) | ((reason == INACCURATE) & equations.is_fast)
        if lost.any():
            rest = tuple(a[lost] for a in args)
            x[:, lost], reason[lost] = _check_roots(equations, *rescue(equations, first[:, lost], rest), rest)
    return x, reason


def _find_newton(equations: Equations, start: Array, args: Arguments, n: int, steps: int = 40) -> Roots:
    # Where |w| diverges a residual at rounding level leaves a few digits.
    return newton_roots(partial(equations.log_residuals, n=n), start, args, steps=steps, rounding=1e-13)


def _solve_with_many_nodes(equations: Equations, start: Array, args: Arguments) -> tuple[Roots, Array]:
    found = _find_newton(equations, start, args, 2 * NODES)
    return found, np.full(start.shape[1], NOT_FOUND, dtype=object)


def _rescue_by_iteration(equations: Equations, start: Array, args: Arguments) -> tuple[Roots, Array]:
    """Newton's method from a state after many damped iterations, first long and then short ones."""
    x = _iterate_damped(equations, start, args, 100)
    x = _iterate_damped(equations, x, args, 150, 0.15)
    return _find_newton(equations, x, args, 2 * NODES), equations.explain_failures(x, args)


def continue_in_penalty(equations: Equations, start: Array, args: Arguments) -> tuple[Roots, Array]:
    """From a large l2 down: every root, extrapolated in ln l2, is the next start.

    Steps are shorter where this fails; where they are too short, damped iterations go on.
    """
    alpha, noise, l1, l2 = args
    end = np.log(np.maximum(l2, 1e-9))
    now = np.log(equations.find_large_penalty(args))
    x = _iterate_damped(equations, start, (alpha, noise, l1, np.exp(now)), 20)
    step, rate = np.zeros_like(end), np.zeros_like(x)
    root = Roots(np.full_like(x, np.nan), np.zeros(end.size), np.full((end.size, len(x), len(x)), np.nan))
    open_ = np.arange(end.size)
    for _ in range(MOST_PENALTIES):
        here = np.maximum(end[open_], now[open_] - step[open_])
        points = (*(a[open_] for a in args[:3]), np.where(here <= end[open_], l2[open_], np.exp(here)))
        trial = x[:, open_] + rate[:, open_] * (here - now[open_])
        found = _find_newton(equations, trial, points, NODES)
        lost, short = np.isnan(found.x[0]), step[open_] < SHORTEST
        if (lost & short).any():
            rest = tuple(a[lost & short] for a in points)
            trial[:, lost & short] = _iterate_damped(equations, trial[:, lost & short], rest, 5)
        new = np.where(lost, trial, found.x)
        moved = ~lost | short
        change = (new - x[:, open_]) / np.where(here < now[open_], here - now[open_], np.inf)
        rate[:, open_[moved]] = np.where(lost, 0.0, change)[:, moved]
        x[:, open_[moved]], now[open_[moved]] = new[:, moved], here[moved]
        step[open_] = np.where(
            lost & ~short, step[open_] / 3, np.clip(2 * step[open_], np.log(3), np.log(30))
        )
        done = moved & (here <= end[open_])
        root.x[:, open_[done]], root.slope[open_[done]] = found.x[:, done], found.slope[done]
        open_ = open_[~done]
        if not open_.size:
            break
    return root, np.full(end.size, NOT_FOUND, dtype=object)


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
        near = (np.abs(step).max(axis=0) < 1e-2)[~good]
        reason[open_[near & (reason[open_] == NOT_FOUND)]] = INACCURATE
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
    better = _find_newton(equations, x[:, lost], rest, n, 8).x
    here[:, lost] = np.where(np.isnan(better), x[:, lost], better)
    return here


def _chord_step(slope: Array, value: Array) -> Array:
    return -np.linalg.solve(slope, value.T[..., None])[..., 0].T
