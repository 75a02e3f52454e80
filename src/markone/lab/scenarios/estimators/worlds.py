"""Inputs and teachers of the scenario `estimator`.

Inputs have mean 0 (or symmetric clusters) and components of variance 1. The teachers are the cases of
chapter 4: from a realisable rule to one that no perceptron can realise.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from markone.numerics.arrays import Floats


def _gaussian_inputs(rng: Generator, p: Any, P: int) -> Floats:
    """Independent Gaussian components."""
    return rng.standard_normal((P, p.N))


def _binary_inputs(rng: Generator, p: Any, P: int) -> Floats:
    """Components +-1."""
    return rng.choice([-1.0, 1.0], (P, p.N))


def _sparse_inputs(rng: Generator, p: Any, P: int) -> Floats:
    """A fraction `activity` of the components is +-1/sqrt(activity), the others are 0."""
    signs = rng.choice([-1.0, 1.0], (P, p.N))
    active: Floats = signs * (rng.random((P, p.N)) < p.activity) / np.sqrt(p.activity)
    return active


def _correlated_inputs(rng: Generator, p: Any, P: int) -> Floats:
    """Components at distance d have the correlation c^d: xi_j = c xi_(j-1) + sqrt(1 - c^2) z_j."""
    z = rng.standard_normal((P, p.N))
    xi = np.empty_like(z)
    xi[:, 0] = z[:, 0]
    for j in range(1, p.N):
        xi[:, j] = p.correlation * xi[:, j - 1] + np.sqrt(1 - p.correlation**2) * z[:, j]
    return xi


def _clustered_inputs(rng: Generator, p: Any, P: int) -> Floats:
    """Two Gaussian clusters at +-separation/2 along (1, -1, 1, ..)/sqrt(N), independent of the teacher."""
    axis = np.where(np.arange(p.N) % 2 == 0, 1.0, -1.0) / np.sqrt(p.N)
    side = rng.choice([-0.5, 0.5], P)
    xi: Floats = rng.standard_normal((P, p.N)) + p.separation * side[:, None] * axis
    return xi


INPUTS: dict[str, Callable[[Generator, Any, int], Floats]] = {
    "gaussian": _gaussian_inputs,
    "binary": _binary_inputs,
    "sparse": _sparse_inputs,
    "correlated": _correlated_inputs,
    "clustered": _clustered_inputs,
}


@dataclass(frozen=True)
class WorldTeacher:
    """`answers(xi)`: noise-free labels at the end of training; `labels(xi)`: labels of the examples in their
    order; `w_star`: weights where the rule is sign(w* . xi)."""

    answers: Callable[[Floats], Floats]
    labels: Callable[[Floats], Floats]
    w_star: Floats | None = None


def _draw_sign(x: Floats, rng: Generator) -> Floats:
    """sign(x), +1 or -1 with equal probability where x = 0, as on sparse inputs that are all zero."""
    signs, ties = np.where(x > 0, 1.0, -1.0), x == 0
    if ties.any():
        signs[ties] = rng.choice([-1.0, 1.0], np.count_nonzero(ties))
    return signs


def _linear_teacher(
    rng: Generator, w: Floats, labels: Callable[[Floats], Floats] | None = None
) -> WorldTeacher:
    def teacher_answers(xi: Floats) -> Floats:
        return _draw_sign(xi @ w, rng)

    return WorldTeacher(teacher_answers, labels or teacher_answers, w)


def _perceptron_teacher(rng: Generator, p: Any) -> WorldTeacher:
    """A random direction: the rule is realisable."""
    return _linear_teacher(rng, rng.standard_normal(p.N))


def _low_dimensional_teacher(rng: Generator, p: Any) -> WorldTeacher:
    """A perceptron that uses the first `relevant` inputs only."""
    w = np.zeros(p.N)
    w[: p.relevant] = rng.standard_normal(p.relevant)
    return _linear_teacher(rng, w)


def _soft_teacher(rng: Generator, p: Any) -> WorldTeacher:
    """The label is +1 with probability 1/(1 + exp(-2 gain h)), h the field of a teacher with |w*| = 1:
    random near the boundary, deterministic far from it."""
    w = rng.standard_normal(p.N)
    w /= np.linalg.norm(w)

    def teacher_labels(xi: Floats) -> Floats:
        probability = 0.5 * (1 + np.tanh(p.gain * (xi @ w)))
        return np.where(rng.random(len(xi)) < probability, 1.0, -1.0)

    return _linear_teacher(rng, w, teacher_labels)


def drifting_teacher(rng: Generator, p: Any) -> WorldTeacher:
    """A perceptron that turns in a plane by drift/N radians per example; errors refer to its final state."""
    first, second = rng.standard_normal((2, p.N))
    # Gram-Schmidt: the first component of a column of LAPACK's Q is never positive.
    first /= np.linalg.norm(first)
    second -= (second @ first) * first
    second /= np.linalg.norm(second)

    def teacher_labels(xi: Floats) -> Floats:
        angle = p.drift * (np.arange(len(xi)) - len(xi) + 1) / p.N
        return _draw_sign(np.cos(angle) * (xi @ first) + np.sin(angle) * (xi @ second), rng)

    return _linear_teacher(rng, first, teacher_labels)


def _committee_teacher(rng: Generator, p: Any) -> WorldTeacher:
    """Majority of K perceptrons, each connected to all inputs."""
    W = rng.standard_normal((p.K, p.N))

    def teacher_answers(xi: Floats) -> Floats:
        return _draw_sign(_draw_sign(xi @ W.T, rng).sum(axis=1), rng)

    return WorldTeacher(teacher_answers, teacher_answers)


def _parity_teacher(rng: Generator, p: Any) -> WorldTeacher:
    """Product of the outputs of K perceptrons. For even K it is the same for xi and -xi, and no linear
    student is better than random guessing; for odd K > 1 there is some overlap at finite N."""
    W = rng.standard_normal((p.K, p.N))

    def teacher_answers(xi: Floats) -> Floats:
        found: Floats = _draw_sign(xi @ W.T, rng).prod(axis=1)
        return found

    return WorldTeacher(teacher_answers, teacher_answers)


TEACHERS: dict[str, Callable[[Generator, Any], WorldTeacher]] = {
    "perceptron": _perceptron_teacher,
    "low_dimensional": _low_dimensional_teacher,
    "soft": _soft_teacher,
    "drifting": drifting_teacher,
    "committee": _committee_teacher,
    "parity": _parity_teacher,
}
