"""Teachers: the probability of a label, or a noisy value, given the teacher's field z.

Every label teacher is a mixture of probits, P(+1|z) = f_- + (1 - f_+ - f_-) sum_k p_k Phi((z + theta)/s_k):
a sign has s = 0 and the logistic function is the mixture over s = 2K/beta, K of Kolmogorov's law (Andrews,
Mallows 1974), whose trapezoidal sum in ln K has converged to 1e-15 with 28 terms. Given a student's field,
z is Gaussian with mean m0 and variance v0, so that all averages are again sums of Phi.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.gaussian import REACH, Phi, panel_quadrature, phi, trapezoid_rule
from markone.numerics.text import suggestion_text
from markone.perceptron.theory.engine.breaks import find_jumps
from markone.perceptron.theory.engine.losses import read_call


@dataclass(frozen=True)
class Teacher:
    """A teacher of labels +-1: threshold, flips P(-|+) and P(+|-), weights and widths of its probits."""

    name: str = "sign"
    threshold: float = 0.0
    flip_plus: float = 0.0
    flip_minus: float = 0.0
    weights: tuple[float, ...] = (1.0,)
    widths: tuple[float, ...] = (0.0,)

    @property
    def is_symmetric(self) -> bool:
        return self.threshold == 0 and self.flip_plus == self.flip_minus

    @property
    def is_deterministic(self) -> bool:
        return max(self.widths) == 0 and self.flip_plus == self.flip_minus == 0

    def label_probability(self, m0: Array, v0: Array, noise: Array) -> tuple[Array, Array]:
        """P(+1) for z ~ N(m0, v0), labels flipped once more with probability noise, and its derivative."""
        plus, minus = (f + noise - 2 * f * noise for f in (self.flip_plus, self.flip_minus))
        value, slope = np.zeros(np.shape(m0)), np.zeros(np.shape(m0))
        for weight, width in zip(self.weights, self.widths, strict=True):
            scale = np.sqrt(v0 + width**2)
            u = (m0 + self.threshold) / scale
            value += weight * Phi(u)
            slope += weight * phi(u) / scale
        return minus + (1 - plus - minus) * value, (1 - plus - minus) * slope


# Values of a function that are held at once.
BLOCK = 200_000


@dataclass(frozen=True)
class FunctionTeacher(Teacher):
    """P(+1|z) by a function: its jumps are signs, the rest is averaged by a trapezoidal sum over z."""

    function: Callable[[Array], Array] = np.sign
    jumps: tuple[tuple[float, float], ...] = ()
    nodes: int = 71
    is_symmetric: bool = False
    is_deterministic = False

    def label_probability(self, m0: Array, v0: Array, noise: Array) -> tuple[Array, Array]:
        """P(+1) and its derivative, as for other teachers."""
        scale = np.sqrt(v0)
        value, slope = np.zeros(np.shape(m0)), np.zeros(np.shape(m0))
        for at, height in self.jumps:
            value += height * Phi((m0 - at) / scale)
            slope += height * phi((m0 - at) / scale) / scale
        t, weight = trapezoid_rule(self.nodes)
        step = max(1, BLOCK // max(1, np.size(m0)))
        for part in (slice(k, k + step) for k in range(0, t.size, step)):
            z = m0[..., None] + scale[..., None] * t[part]
            p = self.function(z) - sum(height * (z >= at) for at, height in self.jumps)
            value += p @ weight[part]
            slope += p @ (weight[part] * t[part]) / scale
        return noise + (1 - 2 * noise) * value, (1 - 2 * noise) * slope


def _read_function(p: Callable[[Array], Any]) -> FunctionTeacher:
    """The teacher of a function P(+1|z), checked: probabilities that grow with z on average."""

    def function(z: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.broadcast_to(np.asarray(p(z), dtype=float), np.shape(z))

    z, weight = panel_quadrature(np.linspace(-REACH, REACH, 81), 20)
    values = function(z)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("teacher(z) must return probabilities of the label +1 for an array z.")
    along = float((weight * phi(z) * z * values).sum())
    if abs(along) < 1e-9:
        raise ValueError(
            "P(+1|z) is even in z, or nearly so: with a convex loss m = 0, nothing is learned. Use features "
            "that are even in the inputs, or another student."
        )
    if along < 0:
        raise ValueError("The labels are anti-correlated with the teacher's field: flip the sign of z.")
    jumps = tuple((x, right - left) for x, left, right in find_jumps(function))
    turn = max(jumps, key=lambda jump: abs(jump[1]), default=(0.0, 0.0))[0]
    symmetric = bool(np.abs(values + function(-z) - 1).max() < 1e-13)
    name, m0, sums = getattr(p, "__name__", "function"), np.linspace(-4, 4, 41), []
    for nodes in (71, 141, 281, 561, 1121):
        found = FunctionTeacher(
            name, -turn, widths=(0.0 if jumps else 0.3,), function=function, jumps=jumps, nodes=nodes,
            is_symmetric=symmetric,
        )  # fmt: skip
        sums.append(found.label_probability(m0, np.ones(1), np.zeros(1))[1])
        if len(sums) > 1 and np.abs(sums[-1] - sums[-2]).max() < 1e-12:
            return found
    raise ValueError("teacher(z) changes too fast to be averaged: give a jump instead of a steep slope.")


@dataclass(frozen=True)
class Linear:
    """A teacher of real values y = z + Gaussian noise of this variance."""

    sigma2: float = 0.0
    name: str = "linear"


@cache
def _kolmogorov_mixture() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Weights and widths with sum p_k Phi(x/s_k) = 1/(1 + exp(-x))."""
    log_k = np.linspace(np.log(0.18), np.log(4.6), 28)
    K = np.exp(log_k)
    j = np.arange(1, 60)[:, None]
    above = 8 * K * ((-1.0) ** (j - 1) * j**2 * np.exp(-2 * (j * K) ** 2)).sum(0)
    # The dual series, for small K.
    odd = (2 * j - 1) ** 2 * np.pi**2
    below = np.sqrt(2 * np.pi) * ((odd / (4 * K**4) - 1 / K**2) * np.exp(-odd / (8 * K**2))).sum(0)
    density = np.where(K > 1, above, below)
    weights = density * K * (log_k[1] - log_k[0])
    return tuple((weights / weights.sum()).tolist()), tuple((2 * K).tolist())


def Sign(
    threshold: float = 0.0, sigma: float = 0.0, flip_plus: float = 0.0, flip_minus: float = 0.0
) -> Teacher:
    """sign(z + threshold + sigma normal), then flips with P(-|+) and P(+|-)."""
    _check_flips(flip_plus, flip_minus)
    if not 0 <= sigma < np.inf:
        raise ValueError(f"sigma must be at least 0 and finite, not {sigma}.")
    name = "probit" if sigma else "sign"
    return Teacher(name, float(threshold), float(flip_plus), float(flip_minus), widths=(float(sigma),))


def Logistic(beta: float = 1.0, threshold: float = 0.0) -> Teacher:
    """P(+1|z) = 1/(1 + exp(-beta (z + threshold)))."""
    if not 0 < beta < np.inf:
        raise ValueError(f"beta must be a positive number, not {beta}: at 0 the labels carry no information.")
    weights, widths = _kolmogorov_mixture()
    return Teacher("logistic", float(threshold), weights=weights, widths=tuple(s / beta for s in widths))


def _check_flips(plus: float, minus: float) -> None:
    if not (0 <= plus <= 1 and 0 <= minus <= 1 and plus + minus < 1):
        raise ValueError(
            f"The flips P(-|+) = {plus} and P(+|-) = {minus} must be probabilities with a sum below 1: at 1 "
            "the labels carry no information, above they are anti-correlated (flip the sign of the labels)."
        )


TEACHERS: dict[str, Any] = {
    "sign": Sign,
    "probit": lambda sigma=1.0: Sign(sigma=sigma),
    "logistic": Logistic,
    "threshold": Sign,
    "flips": lambda plus, minus: Sign(flip_plus=plus, flip_minus=minus),
    "linear": Linear,
}


def find_teacher(teacher: Any) -> Teacher | Linear:
    """The teacher of a name, such as 'sign', 'probit(0.5)', 'logistic(2)', 'threshold(0.8)', or as it is."""
    if isinstance(teacher, Teacher | Linear):
        return teacher
    if not isinstance(teacher, str):
        if callable(teacher):
            return _read_function(teacher)
        raise ValueError(f"teacher must be a name, Sign, Logistic, Linear or a function, not {teacher!r}.")
    name, numbers = read_call(teacher)
    if name not in TEACHERS:
        near = suggestion_text(name, TEACHERS)
        raise ValueError(f"There is no teacher {teacher!r}.{near} Known: {', '.join(TEACHERS)}.")
    try:
        found: Teacher | Linear = TEACHERS[name](*numbers)
    except TypeError:
        raise ValueError(f"{teacher!r} has the wrong number of values, see theory.solve.") from None
    return replace(found, name=name)


def check_teacher_noise(teacher: Teacher | Linear, noise: Array) -> Array:
    """noise is a variance for a linear teacher, else a probability of flips below 1/2."""
    if isinstance(teacher, Linear):
        if not (noise >= 0).all():
            raise ValueError("noise is the variance of a linear teacher's values and must be at least 0.")
    elif not ((noise >= 0) & (noise < 0.5)).all():
        raise ValueError(
            "noise is the probability of a flipped label and must be in [0, 1/2): at 1/2 the labels carry no "
            "information about the rule."
        )
    return noise
