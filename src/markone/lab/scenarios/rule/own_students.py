"""Any classifier as the student of a teacher, on exactly the data of the compiled students."""

import math

import numpy as np

from markone.lab.scenarios.estimators import measuring, students
from markone.lab.scenarios.rule._examples import TEACHER, labelled
from markone.numerics.arrays import Floats

TESTS = 2000  # new examples for a student that is not linear
PASSES = 200  # assumed cost of a fit: unknown for an arbitrary estimator


def block(student: str, seed: int, start: int, stop: int, P: int, N: int, noise: float) -> Floats:
    """epsilon_g, R, kappa, epsilon_t, iterations, stopped: one row per repeat."""
    return np.array([row(student, seed, repeat, P, N, noise) for repeat in range(start, stop)])


def row(student: str, seed: int, repeat: int, P: int, N: int, noise: float) -> list[float]:
    xi, S = np.empty((P, N)), np.empty(P)
    labelled(seed, N, P, repeat, TEACHER, noise, xi, S)
    made = measuring.fitted(students.seeded(student, seed, repeat), xi, S)
    wrong = float(np.mean(measuring.answers(made, xi, S) != S))
    line = measuring.line(made, N)
    if line is None:
        fresh = np.random.default_rng([seed, N, P, repeat]).standard_normal((TESTS, N))
        errors = measuring.answers(made, fresh, S) != np.where(fresh.sum(axis=1) >= 0, 1.0, -1.0)
        return [float(np.mean(errors)), math.nan, math.nan, wrong, *measuring.effort(made)]
    w, b = line
    R = measuring.overlap(w, np.ones(N))
    error = measuring.disagreement(R, b / float(np.linalg.norm(w)))
    return [error, R, measuring.stability(w, b, xi, S), wrong, *measuring.effort(made)]


def cost(P: int, N: int) -> float:
    return float(PASSES * P * N + TESTS * N + 2e6)
