"""The Bayes point of N = 200, alpha = 5 against hit-and-run in numpy, each until an accuracy of 0.002.

Hit-and-run (Smith 1984): a random direction, the chord of the Gaussian in version space along it, a new
point on it from the conditional distribution. Start and averaging are the same as ours.
The limit is the centre of mass of 2000 of our students.
"""

import math
from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr, ndtri

from benchmarks.timing import Row, cpu_seconds_used, row_of_pairs
from markone.data import teacher_examples
from markone.perceptron import BayesPoint
from markone.perceptron.version_space import VersionSpace

NEAR, PATIENCE, ROUNDS = 0.002, 6.0, 3


def error_angle(w: np.ndarray, w_star: np.ndarray) -> float:
    return math.acos(w @ w_star / (np.linalg.norm(w) * np.linalg.norm(w_star))) / math.pi


def sum_hit_and_run_steps(Z: np.ndarray, w: np.ndarray, rng: np.random.Generator, count: int) -> np.ndarray:
    """Sum of the unit vectors of `count` steps of hit-and-run; w is moved."""
    E, total = Z @ w, np.zeros_like(w)
    for _ in range(count):
        u = rng.standard_normal(len(w))
        u /= np.linalg.norm(u)
        F = Z @ u
        with np.errstate(divide="ignore"):
            ends = -E / F
        low, high = np.max(ends[F > 0], initial=-9.0), np.min(ends[F < 0], initial=9.0)
        # Along the line the Gaussian has its mean at -u.w.
        shift = u @ w
        a, b = ndtr(low + shift), ndtr(high + shift)
        t = min(max(ndtri(a + rng.random() * (b - a)) - shift, low), high)
        w += t * u
        E += t * F
        total += w / np.linalg.norm(w)
    return total


def time_hit_and_run(space: VersionSpace, w_star: np.ndarray, goal: float, seed: int) -> tuple[float, float]:
    """Return (seconds until the error of the centre is within NEAR of the goal, last difference)."""
    p = space.problem
    Z, rng, w = p.S[:, None] * p.X, np.random.default_rng(seed), space.start.w.copy()
    begin, centre, away = cpu_seconds_used(), np.zeros(p.N), math.inf
    while cpu_seconds_used() - begin < PATIENCE and away > NEAR:
        centre += sum_hit_and_run_steps(Z, w, rng, 2000)
        away = abs(error_angle(centre, w_star) - goal)
    return cpu_seconds_used() - begin, away


def compare() -> Iterator[Row]:
    ours, theirs, far, left = [], [], [], []
    for seed in range(ROUNDS + 1):
        xi, S, w_star = teacher_examples(1000, 200, seed=seed)
        space = VersionSpace(xi, S)
        goal = error_angle(space.sample(2000, seed=99).centre, w_star)
        begin = cpu_seconds_used()
        point = BayesPoint(fit_intercept=False, random_state=seed).fit(xi, S)
        taken = cpu_seconds_used() - begin
        if seed == 0:
            continue  # compiled now
        ours.append(taken)
        far.append(abs(error_angle(point.coef_[0], w_star) - goal))
        peer = time_hit_and_run(space, w_star, goal, seed)
        theirs.append(peer[0])
        left.append(peer[1])
    yield row_of_pairs(
        "BayesPoint N=200 alpha=5, 200 students",
        np.array(ours),
        "numpy hit-and-run",
        np.array(theirs),
        target=5.0,
        note=f"from the limit: ours {max(far):.4f}, peer {max(left):.4f} (given up after {PATIENCE:g} s)",
    )
