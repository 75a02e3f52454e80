"""Examples of a drifting teacher: a random walk on the sphere."""

import math
from typing import Any, NamedTuple

import numpy as np

from markone.numerics.arrays import Array


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
    if not 0 <= noise <= 1:
        raise ValueError(f"noise = {noise} is the probability of a flipped label: it must lie in [0, 1].")
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
