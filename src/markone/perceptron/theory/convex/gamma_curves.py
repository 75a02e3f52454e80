"""Common to the students that minimise (N/2) w^2 + gamma sum_mu V(E^mu): their curves and their limits.

gamma = infinity has the direction of optimal stability where the data are separable; w = 0 at alpha = 0.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array
from markone.perceptron.theory import max_stability
from markone.perceptron.theory.rule import (
    NOTHING,
    Value,
    check_arguments_with_gamma,
    fill_unlearned,
    probability_below,
    restore_shape,
)

Part = Callable[[Array, Array, Array], Iterable[Array]]


def join_solutions(args: tuple[Array, Array, Array], unlearned: tuple[float, ...], *solvers: Part) -> Any:
    """Order parameters of flat (alpha, noise, gamma), by the solvers of the hard and of the soft points."""
    alpha, noise, gamma = args
    hard = np.isinf(gamma) & (alpha < max_stability.alpha_c(noise)) & (alpha > NOTHING)
    found = [fill_unlearned(alpha, value) for value in unlearned]
    for where, solve in zip((hard, ~hard & (alpha > NOTHING)), solvers, strict=True):
        for values, part in zip(found, solve(*(a[where] for a in args)), strict=True):
            values[where] = part
    return found


def solve_separable(alpha: Array, noise: Array) -> tuple[Array, Array, Array]:
    """cot(theta), kappa and x = 1 - alpha P(t < kappa) of optimal stability."""
    k, cot = max_stability.solve_max_stability(alpha, noise)
    kappa = k / np.hypot(1, cot)
    return cot, kappa, 1 - alpha * probability_below(kappa, cot, noise)


def define_curve(name: str, text: str, solve: Any, read: Callable[..., Array]) -> Callable[..., Value]:
    """The function name(alpha, noise, gamma=...) that reads a value from a solution, alpha and noise."""

    def curve(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
        shape, args = check_arguments_with_gamma(alpha, noise, gamma)
        with np.errstate(divide="ignore"):
            return restore_shape(read(solve(*args), *args[:2]), shape)

    curve.__name__ = curve.__qualname__ = name
    curve.__doc__ = text
    return curve


def define_direction_curves(solve: Any) -> tuple[Callable[..., Value], ...]:
    """R = cos(theta), eps = theta/pi and |w| = 1/kappa."""
    return (
        define_curve("overlap", "R = cos(theta).", solve, lambda s, *_: s.cot / np.hypot(1, s.cot)),
        define_curve("generalization_error", "eps = theta/pi.", solve, _read_error),
        define_curve("norm", "|w| = 1/kappa; 0 at alpha = 0.", solve, lambda s, *_: 1 / s.kappa),
    )


def _read_error(solution: Any, *_: Array) -> Array:
    return np.asarray(np.arctan2(1, solution.cot) / np.pi)


def fraction_below(high: Array, cot: Array, noise: Array, none: Array) -> Array:
    """P(t < high) of a fresh example, 0 where `none`."""
    value = np.zeros_like(high)
    value[~none] = probability_below(high[~none], cot[~none], noise[~none])
    return value
