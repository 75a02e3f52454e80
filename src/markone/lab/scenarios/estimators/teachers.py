"""Who gives the labels, chapter 4's cases: from a teacher like the student to one that none imitates."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from markone.numerics.arrays import Floats


@dataclass(frozen=True)
class WorldTeacher:
    """`answers(xi)` without noise, as it is when the examples end; `labels(xi)` of the examples in their
    order; `w_star` where the answer is sign(w* . xi)."""

    answers: Callable[[Floats], Floats]
    labels: Callable[[Floats], Floats]
    w_star: Floats | None = None


def sign(x: Floats) -> Floats:
    return np.where(x >= 0, 1.0, -1.0)


def linear(w: Floats, labels: Callable[[Floats], Floats] | None = None) -> WorldTeacher:
    def answers(xi: Floats) -> Floats:
        return sign(xi @ w)

    return WorldTeacher(answers, labels or answers, w)


def perceptron(rng: Generator, p: Any) -> WorldTeacher:
    """A direction at random: the rule can be learned exactly."""
    return linear(rng.standard_normal(p.N))


def low_dimensional(rng: Generator, p: Any) -> WorldTeacher:
    """A perceptron that looks at the first `relevant` inputs only."""
    w = np.zeros(p.N)
    w[: p.relevant] = rng.standard_normal(p.relevant)
    return linear(w)


def soft(rng: Generator, p: Any) -> WorldTeacher:
    """The label is +1 with probability 1/(1 + exp(-2 gain h)), h the field of a teacher with |w*| = 1:
    doubtful near the border, sure far from it."""
    w = rng.standard_normal(p.N)
    w /= np.linalg.norm(w)

    def labels(xi: Floats) -> Floats:
        chance = 0.5 * (1 + np.tanh(p.gain * (xi @ w)))
        return np.where(rng.random(len(xi)) < chance, 1.0, -1.0)

    return linear(w, labels)


def drifting(rng: Generator, p: Any) -> WorldTeacher:
    """A perceptron that turns in a plane by drift/N radians an example; asked is what it says at the end."""
    first, second = np.linalg.qr(rng.standard_normal((p.N, 2)))[0].T

    def labels(xi: Floats) -> Floats:
        angle = p.drift * (np.arange(len(xi)) - len(xi) + 1) / p.N
        return sign(np.cos(angle) * (xi @ first) + np.sin(angle) * (xi @ second))

    return linear(first, labels)


def committee(rng: Generator, p: Any) -> WorldTeacher:
    """The majority of K perceptrons, each with all inputs."""
    W = rng.standard_normal((p.K, p.N))

    def answers(xi: Floats) -> Floats:
        return sign(sign(xi @ W.T).sum(axis=1))

    return WorldTeacher(answers, answers)


def parity(rng: Generator, p: Any) -> WorldTeacher:
    """The product of K perceptrons' answers. For even K it is the same for xi and -xi, and no linear student
    does better than a guess; for odd K > 1 it learns what the units have in common at finite N."""
    W = rng.standard_normal((p.K, p.N))

    def answers(xi: Floats) -> Floats:
        found: Floats = sign(xi @ W.T).prod(axis=1)
        return found

    return WorldTeacher(answers, answers)


TEACHERS: dict[str, Callable[[Generator, Any], WorldTeacher]] = {
    "perceptron": perceptron,
    "low_dimensional": low_dimensional,
    "soft": soft,
    "drifting": drifting,
    "committee": committee,
    "parity": parity,
}
