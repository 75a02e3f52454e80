"""Students that minimise (N/2) w^2 + gamma sum_mu V(E^mu): soft margin (4.3), squared hinge H^[2], logistic.

Losses of `theory.solve`, exact for N -> infinity: gamma = C/N = 1/l2. gamma -> 0 is Hebb's rule. For
alpha < alpha_c(noise) gamma = infinity is optimal stability, with |w| infinite for the logistic loss; beyond
it is the w with the least sum of V. Range: 1e-5 <= alpha <= 1e5, any gamma (logistic: up to 1e6 or infinity).
Soft margin and logistic may be NaN for gamma = infinity up to 1e-5 alpha_c above alpha_c: |w| diverges.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array
from markone.numerics.gaussian import REACH, panel_quadrature, phi
from markone.numerics.roots import find_roots
from markone.perceptron.theory import max_stability
from markone.perceptron.theory.engine.losses import MARGIN_LOSSES, Loss
from markone.perceptron.theory.engine.solve import solve
from markone.perceptron.theory.rule import (
    NOTHING,
    Value,
    check_arguments_with_gamma,
    check_noise,
    fill_unlearned,
    label_correlation,
    probability_below,
    restore_shape,
)

# Excess of alpha over alpha_c(noise) below which the unpenalised squared hinge is extrapolated.
NEAR = 1e-5


class Student(NamedTuple):
    """Flat arrays: cot(theta), kappa = 1/|w|, response V (infinite where gamma = infinity separates)."""

    cot: Array
    kappa: Array
    V: Array


def _fraction_below(high: Array, s: Student, noise: Array, none: Array) -> Array:
    """P(t < high) of a fresh example, 0 where `none`."""
    value = np.zeros_like(high)
    value[~none] = probability_below(high[~none], s.cot[~none], noise[~none])
    return value


def _count_free(s: Student, alpha: Array, noise: Array, gamma: Array) -> Array:
    hard = np.isinf(s.V)
    separated = alpha * _fraction_below(s.kappa, s, noise, ~hard)
    return np.where(hard, separated, np.where(alpha <= NOTHING, 0.0, 1 - s.V / gamma))


# (order parameters, alpha, noise, gamma) -> values
Reader = Callable[[Student, Array, Array, Array], Array]


def _read_curve(
    student: "ConvexStudent", read: Reader, alpha: ArrayLike, noise: ArrayLike, gamma: ArrayLike
) -> Value:
    shape, args = check_arguments_with_gamma(alpha, noise, gamma)
    with np.errstate(divide="ignore", invalid="ignore"):
        return restore_shape(np.asarray(read(student.solve(*args), *args)), shape)


def _define_curve(text: str, read: Reader) -> Callable[..., Value]:
    """A method (alpha, noise, gamma) of a student, with this docstring."""

    def curve(
        self: "ConvexStudent", alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0
    ) -> Value:
        return _read_curve(self, read, alpha, noise, gamma)

    curve.__doc__ = text
    return curve


@dataclass(frozen=True)
class ConvexStudent:
    """The curves of one loss; `has_margin`: it is zero beyond E = 1; `is_squared`: with a square below."""

    name: str
    has_margin: bool = False
    is_squared: bool = False

    @cached_property
    def loss(self) -> Loss:
        return MARGIN_LOSSES[self.name]

    def solve(self, alpha: Array, noise: Array, gamma: Array) -> Student:
        """Order parameters for flat arrays."""
        found = Student(*(fill_unlearned(alpha, value) for value in (0.0, np.inf, 1.0)))
        learned, limit = alpha > NOTHING, max_stability.alpha_c(noise)
        hard = learned & np.isinf(gamma) & (alpha < limit)
        near = self.is_squared & learned & np.isinf(gamma) & ~hard & (alpha < limit * (1 + NEAR))
        for where, part in (
            (hard, self._solve_hard),
            (near, self._solve_near),
            (learned & ~hard & ~near, self._solve_soft),
        ):
            if where.any():
                for values, new in zip(found, part(alpha[where], noise[where], gamma[where]), strict=True):
                    values[where] = new
        return found

    def _solve_hard(self, alpha: Array, noise: Array, gamma: Array) -> tuple[Array, Array, Array]:
        k, cot = max_stability.solve_max_stability(alpha, noise)
        return cot, k / np.hypot(1, cot) if self.has_margin else np.zeros_like(k), gamma

    def _solve_soft(self, alpha: Array, noise: Array, gamma: Array) -> tuple[Array, Array, Array]:
        c = solve(alpha, self.name, {"gamma": gamma}, noise=noise)
        return 1 / np.tan(np.pi * c.epsilon_rule), 1 / c.norm, c.V

    def _solve_near(self, alpha: Array, noise: Array, gamma: Array) -> list[Array]:
        """Just beyond the threshold |w| diverges: cot, kappa/t and V t are smooth in t = sqrt(excess)."""
        limit = np.asarray(max_stability.alpha_c(noise))
        excess = NEAR * 2.0 ** np.arange(5)
        t, nodes = np.sqrt(np.maximum(alpha / limit - 1, 1e-300)), np.sqrt(excess)
        columns = (limit[:, None] * (1 + excess)).ravel(), np.repeat(noise, 5), np.repeat(gamma, 5)
        cot, kappa, V = (values.reshape(-1, 5) for values in self._solve_soft(*columns))
        others = [np.delete(nodes, j) for j in range(5)]
        weights = [((t[:, None] - x) / (node - x)).prod(-1) for node, x in zip(nodes, others, strict=True)]
        smooth = [(one * np.array(weights).T).sum(-1) for one in (cot, kappa / nodes, V * nodes)]
        return [smooth[0], smooth[1] * t, smooth[2] / t]

    overlap = _define_curve("R = cos(theta).", lambda s, *_: s.cot / np.hypot(1, s.cot))
    generalization_error = _define_curve("eps = theta/pi.", lambda s, *_: np.arctan2(1, s.cot) / np.pi)
    norm = _define_curve(
        "|w| = 1/kappa; 0 at alpha = 0, infinite where gamma = infinity separates without a margin.",
        lambda s, *_: 1 / s.kappa,
    )
    stability = _define_curve(
        "kappa = 1/|w|, the stability of examples with E = 1; infinite at alpha = 0.", lambda s, *_: s.kappa
    )
    support_vectors = _define_curve(
        "Examples with E < 1 before they are learned, per N: alpha P(t < kappa).",
        lambda s, alpha, noise, _: alpha * _fraction_below(s.kappa, s, noise, alpha <= NOTHING),
    )
    clipped_support_vectors = _define_curve(
        "Soft margin: examples with E < 1 and embedding gamma, per N: alpha P(t < kappa - kappa V).",
        lambda s, alpha, noise, _: (
            alpha * _fraction_below(s.kappa * (1 - s.V), s, noise, np.isinf(s.V) | (alpha <= NOTHING))
        ),
    )
    free_support_vectors = _define_curve(
        "Soft margin: examples with E = 1 and 0 < embedding < gamma, per N: 1 - V/gamma.", _count_free
    )

    def training_error(self, alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
        """Fraction of training examples with E < 0, P(t < -kappa V |V'(0)|); 0 where all are learned."""

        def read(s: Student, alpha: Array, noise: Array, _: Array) -> Array:
            none = np.isinf(s.V) | (alpha <= NOTHING)
            return _fraction_below(-s.kappa * s.V * self.loss.force, s, noise, none)

        return _read_curve(self, read, alpha, noise, gamma)

    def best_gamma(self, alpha: ArrayLike, noise: ArrayLike = 0.0) -> Value:
        """The gamma of the smallest generalization error; infinite if no finite one is better.

        Found to 1e-4 relative, since the minimum is flat. NaN at alpha = 0, where w = 0, and above 1e4.
        """
        shape, (alpha, noise, _) = check_arguments_with_gamma(alpha, noise, 1.0)
        best = np.full(alpha.shape, np.nan)
        ready = np.flatnonzero((alpha > 0) & (alpha <= 1e4))

        def errors(log_gamma: Array, index: Array) -> Array:
            columns = alpha[index][:, None], noise[index][:, None]
            return np.asarray(self.generalization_error(*columns, gamma=np.exp(log_gamma)))

        grid = np.append(np.linspace(-4, 8, 37) * np.log(10), np.inf)
        values = np.nan_to_num(errors(np.tile(grid, (ready.size, 1)), ready), nan=1.0)
        k = np.argmin(values, axis=1)
        infinite = values.min(axis=1) >= values[:, -1]
        best[ready[infinite]] = np.inf
        ready, k = ready[~infinite], np.clip(k[~infinite], 1, 35)
        low, high, rows = grid[k - 1], grid[k + 1], np.arange(ready.size)
        for _ in range(4):
            log_gamma = np.linspace(low, high, 9, axis=1)
            values = errors(log_gamma, ready)
            k = np.clip(np.argmin(values, axis=1), 1, 7)
            low, high = log_gamma[rows, k - 1], log_gamma[rows, k + 1]
        # The vertex of the parabola through the lowest three.
        left, middle, right = (values[rows, k + shift] for shift in (-1, 0, 1))
        with np.errstate(divide="ignore", invalid="ignore"):
            shift = np.nan_to_num((left - right) / (left - 2 * middle + right)) / 2
        best[ready] = np.exp(log_gamma[rows, k] + np.clip(shift, -1, 1) * (high - low) / 2)
        return restore_shape(best, shape)

    def best_error(self, alpha: ArrayLike, noise: ArrayLike = 0.0) -> Value:
        """eps at `best_gamma`, alpha <= 1e4, a little above `bayes`; 1/2 at alpha = 0, NaN beyond."""
        gamma = np.asarray(self.best_gamma(alpha, noise))
        value = self.generalization_error(alpha, noise, gamma=np.where(np.isnan(gamma), 1.0, gamma))
        value = np.where(np.isnan(gamma) & (np.asarray(alpha) != 0), np.nan, value)
        return restore_shape(value, value.shape)

    def _slopes(self, kappa: Array) -> tuple[Array, Array, Array, Array]:
        """t > 0, weights of |normal|, and V' at t/kappa and -t/kappa."""
        breaks = np.abs([0.0, np.inf, *self.loss.edges, *(k for k, _, _ in self.loss.kinks)])
        wide = np.tile(REACH * np.array([0.12, 0.25, 0.5]), (kappa.size, 1))
        edges = np.sort(np.column_stack([np.minimum(kappa[:, None] * breaks, REACH), wide]))
        t, weight = panel_quadrature(edges, 24)
        right, wrong = (self.loss.derivatives(sign * t / kappa[:, None])[1] for sign in (1, -1))
        return t, weight * 2 * phi(t), right, wrong

    def asymptotic_stability(self, noise: ArrayLike) -> Value:
        """kappa = 1/|w| for alpha -> infinity: <t V'(t/kappa)> = 0, t = +-|normal|, P(-) = noise."""
        check_noise(noise)
        flat = np.atleast_1d(np.asarray(noise, dtype=float)).ravel()

        def balance(log_kappa: Array, noise: Array) -> Array:
            t, weight, right, wrong = self._slopes(np.exp(log_kappa))
            sums = [np.abs((weight * t * slope).sum(-1)) for slope in (right, wrong)]
            return np.log((1 - noise) * sums[0] / (noise * sums[1]))

        some = np.where(flat > 0, flat, 0.25)
        low, high = np.log(some) / 2 - 4, 3 - 2 * np.log1p(-2 * some)
        kappa = np.exp(find_roots(balance, low, high, (some,)).x)
        return restore_shape(np.where(flat > 0, kappa, 0.0), np.shape(noise))

    def asymptotic_norm(self, noise: ArrayLike) -> Value:
        """|w| = 1/kappa for alpha -> infinity; infinite without noise."""
        with np.errstate(divide="ignore"):
            value = 1 / np.asarray(self.asymptotic_stability(noise))
        return restore_shape(value, value.shape)

    def asymptotic_constant(self, noise: ArrayLike) -> Value:
        """C in eps ~ C/sqrt(alpha), for any gamma: sqrt(<V'(t/kappa)^2>)/(pi c |V'(0)|).

        0 without noise, where the error falls faster. Digits are lost below noise = 1e-7.
        """
        kappa = np.atleast_1d(self.asymptotic_stability(noise)).ravel()
        flat = np.atleast_1d(np.asarray(noise, dtype=float)).ravel()
        _, weight, right, wrong = self._slopes(np.where(flat > 0, kappa, 1.0))
        square = (1 - flat) * (weight * right**2).sum(-1) + flat * (weight * wrong**2).sum(-1)
        value = np.sqrt(square) / (np.pi * label_correlation(flat) * self.loss.force)
        return restore_shape(np.where(flat > 0, value, 0.0), np.shape(noise))


soft_margin = ConvexStudent("hinge", has_margin=True)
squared_hinge = ConvexStudent("squared_hinge", has_margin=True, is_squared=True)
logistic = ConvexStudent("logistic")
