"""Teachers, the cases of chapter 4: from a realisable rule to one that no perceptron can realise."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from markone.numerics.arrays import Floats


@dataclass(frozen=True)
class WorldTeacher:
    """`answers(xi)`: noise-free labels at the end of training; `labels(xi)`: labels of the examples in their
    order; `w_star`: weights where the rule is sign(w* . xi)."""

    answers: Callable[[Floats], Floats]
    labels: Callable[[Floats], Floats]
    w_star: Floats | None = None


def sign(x: Floats) -> Floats:
    return np.where(x >= 0, 1.0, -1.0)


def _linear_teacher(w: Floats, labels: Callable[[Floats], Floats] | None = None) -> WorldTeacher:
    def answers(xi: Floats) -> Floats:
        return sign(xi @ w)

    return WorldTeacher(answers, labels or answers, w)


def _perceptron_teacher(rng: Generator, p: Any) -> WorldTeacher:
    """A random direction: the rule is realisable."""
    return _linear_teacher(rng.standard_normal(p.N))


def _low_dimensional_teacher(rng: Generator, p: Any) -> WorldTeacher:
    """A perceptron that uses the first `relevant` inputs only."""
    w = np.zeros(p.N)
    w[: p.relevant] = rng.standard_normal(p.relevant)
    return _linear_teacher(w)


def _soft_teacher(rng: Generator, p: Any) -> WorldTeacher:
    """The label is +1 with probability 1/(1 + exp(-2 gain h)), h the field of a teacher with |w*| = 1:
    random near the boundary, deterministic far from it."""
    w = rng.standard_normal(p.N)
    w /= np.linalg.norm(w)

    def labels(xi: Floats) -> Floats:
        probability = 0.5 * (1 + np.tanh(p.gain * (xi @ w)))
        return np.where(rng.random(len(xi)) < probability, 1.0, -1.0)

    return _linear_teacher(w, labels)


def drifting_teacher(rng: Generator, p: Any) -> WorldTeacher:
    """A perceptron that turns in a plane by drift/N radians per example; errors refer to its final state."""
    first, second = rng.standard_normal((2, p.N))
    # Gram-Schmidt: the first component of a column of LAPACK's Q is never positive.
    first /= np.linalg.norm(first)
    second -= (second @ first) * first
    second /= np.linalg.norm(second)

    def labels(xi: Floats) -> Floats:
        angle = p.drift * (np.arange(len(xi)) - len(xi) + 1) / p.N
        return sign(np.cos(angle) * (xi @ first) + np.sin(angle) * (xi @ second))

    return _linear_teacher(first, labels)


def _committee_teacher(rng: Generator, p: Any) -> WorldTeacher:
    """Majority of K perceptrons, each connected to all inputs."""
    W = rng.standard_normal((p.K, p.N))

    def answers(xi: Floats) -> Floats:
        return sign(sign(xi @ W.T).sum(axis=1))

    return WorldTeacher(answers, answers)


def _parity_teacher(rng: Generator, p: Any) -> WorldTeacher:
    """Product of the outputs of K perceptrons. For even K it is the same for xi and -xi, and no linear
    student is better than random guessing; for odd K > 1 there is some overlap at finite N."""
    W = rng.standard_normal((p.K, p.N))

    def answers(xi: Floats) -> Floats:
        found: Floats = sign(xi @ W.T).prod(axis=1)
        return found

    return WorldTeacher(answers, answers)


TEACHERS: dict[str, Callable[[Generator, Any], WorldTeacher]] = {
    "perceptron": _perceptron_teacher,
    "low_dimensional": _low_dimensional_teacher,
    "soft": _soft_teacher,
    "drifting": drifting_teacher,
    "committee": _committee_teacher,
    "parity": _parity_teacher,
}
