"""Random inputs with random labels, or with noisy labels of a teacher (3.32) that may drift."""

import math
from typing import Any, NamedTuple

import numpy as np

from markone.numerics.arrays import Array


class Examples(NamedTuple):
    """Inputs xi (P, N), labels S = +-1, and the teacher w* that gave them (None for random labels).

    Returned by `teacher_examples`.

    Parameters
    ----------
    xi : array (P, N)
        The inputs.
    S : array (P,)
        Their labels, +1 or -1.
    w_star : array (N,) or None
        The teacher that gave the labels.
    """

    xi: Array
    S: Array
    w_star: Array | None


def _check_sizes(P: int, N: int) -> None:
    if P < 1 or N < 1:
        raise ValueError(f"P = {P} examples in N = {N} dimensions: both must be 1 or more.")


def _check_noise(noise: float) -> None:
    if not 0 <= noise <= 1:
        raise ValueError(f"noise = {noise} is the probability of a flipped label: it must lie in [0, 1].")


def random_dichotomy(P: int, N: int, seed: Any = None) -> Examples:
    """Gaussian inputs N(0, 1) with random labels: there is no rule to learn, only data to store.

    Parameters
    ----------
    P : int
        Number of examples.
    N : int
        Number of inputs.
    seed : int, Generator or None, default=None
        Seed of what is drawn.

    Returns
    -------
    Examples
        Inputs `xi`, labels `S`, and None for the teacher.

    Examples
    --------
    >>> from markone import separability
    >>> from markone.data import random_dichotomy
    >>> xi, S, _ = random_dichotomy(30, 20, seed=0)
    >>> separability(xi, S).separable
    True
    """
    _check_sizes(P, N)
    rng = np.random.default_rng(seed)
    return Examples(rng.standard_normal((P, N)), rng.choice([-1.0, 1.0], P), None)


def teacher_examples(P: int, N: int, noise: float = 0.0, seed: Any = None) -> Examples:
    """Gaussian inputs with labels sign(w* . xi), each flipped with probability `noise`.

    The teacher is w* = (1, .., 1), |w*|^2 = N: for isotropic inputs any other is equivalent.

    Parameters
    ----------
    P : int
        Number of examples.
    N : int
        Number of inputs.
    noise : float in [0, 1], default=0.0
        Probability that a label is flipped.
    seed : int, Generator or None, default=None
        Seed of what is drawn.

    Returns
    -------
    Examples
        Inputs `xi`, labels `S` and the teacher `w_star`.

    Examples
    --------
    >>> from markone.data import teacher_examples
    >>> xi, S, w_star = teacher_examples(50, 10, seed=0)
    >>> bool((S * (xi @ w_star) > 0).all())
    True
    """
    _check_sizes(P, N)
    _check_noise(noise)
    rng = np.random.default_rng(seed)
    xi, w_star = rng.standard_normal((P, N)), np.ones(N)
    S = np.where(xi @ w_star >= 0, 1.0, -1.0)
    return Examples(xi, np.where(rng.random(P) < noise, -S, S), w_star)


class DriftingExamples(NamedTuple):
    """Inputs xi (P, N), labels S = +-1, and the teacher that gave each of them, w_star (P, N), |w*|^2 = N."""

    xi: Array
    S: Array
    w_star: Array


def drifting_examples(P: int, N: int, drift: float, noise: float = 0.0, seed: Any = None) -> DriftingExamples:
    """A stream of examples; after each one the teacher turns by arccos(1 - drift/N) in a random direction.

    The overlap of the teacher with an earlier one falls as (1 - drift/N)^t on average. The teacher starts as
    (1, .., 1).

    Parameters
    ----------
    P : int
        Number of examples.
    N : int
        Number of inputs.
    drift : float in [0, N]
        How fast the teacher turns.
    noise : float in [0, 1], default=0.0
        Probability that a label is flipped.
    seed : int, Generator or None, default=None
        Seed of what is drawn.

    Returns
    -------
    DriftingExamples
        Inputs `xi` (P, N), labels `S` = +-1 and the teacher `w_star` (P, N) that gave each of them.

    Examples
    --------
    >>> from markone.data import drifting_examples
    >>> xi, S, w_star = drifting_examples(100, 20, drift=1.0, seed=0)
    >>> w_star.shape
    (100, 20)
    """
    if P < 1 or N < 2:
        raise ValueError(f"P = {P} examples in N = {N} dimensions: P must be 1 and N must be 2 or more.")
    if not 0 <= drift <= N:
        raise ValueError(f"drift = {drift}: with 1 - drift/N as the cosine of a turn it must lie in [0, N].")
    _check_noise(noise)
    rng = np.random.default_rng(seed)
    xi, steps, coins = rng.standard_normal((P, N)), rng.standard_normal((P, N)), rng.random(P)
    w_star = np.ones((P, N))
    c = 1 - drift / N
    for t in range(1, P):
        w = w_star[t - 1]
        across = steps[t] - (steps[t] @ w / N) * w
        moved = c * w + math.sqrt(max(1 - c * c, 0.0) * N) * across / np.linalg.norm(across)
        w_star[t] = moved * math.sqrt(N) / np.linalg.norm(moved)
    S = np.where(np.einsum("ij,ij->i", xi, w_star) >= 0, 1.0, -1.0)
    return DriftingExamples(xi, np.where(coins < noise, -S, S), w_star)
