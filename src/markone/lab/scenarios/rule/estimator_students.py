"""Any classifier as the student of a teacher, on the data of the compiled students in a random orientation.

The compiled students are rotation invariant and keep the teacher (1, .., 1). For any other, inputs and
teacher are reflected together: the teacher has a random direction, and an invariant student the same results.
"""

import math

import numpy as np

from markone.lab.scenarios.estimators import student_expressions, student_measures
from markone.lab.scenarios.rule._examples import TEACHER, draw_labelled_examples
from markone.numerics.arrays import Floats

TESTS = 2000  # new examples for a student that is not linear
ASSUMED_PASSES = 200  # assumed cost of a fit: unknown for an arbitrary estimator
DIRECTION = 3  # stream of the teacher's direction


def train_estimator_block(
    student: str, seed: int, start: int, stop: int, P: int, N: int, noise: float
) -> Floats:
    """epsilon_g, R, kappa, epsilon_t, iterations, stopped: one row per repeat."""
    return np.array([_train_estimator(student, seed, repeat, P, N, noise) for repeat in range(start, stop)])


def _train_estimator(student: str, seed: int, repeat: int, P: int, N: int, noise: float) -> list[float]:
    xi, S, w_star = draw_reflected_examples(seed, repeat, P, N, noise)
    made = student_measures.fit_student(student_expressions.seeded_student(student, seed, repeat), xi, S)
    wrong = float(np.mean(student_measures.predict_labels(made, xi, S) != S))
    line = student_measures.linear_weights(made, N)
    if line is None:
        fresh = np.random.default_rng([seed, N, P, repeat]).standard_normal((TESTS, N))
        errors = student_measures.predict_labels(made, fresh, S) != np.where(fresh @ w_star >= 0, 1.0, -1.0)
        return [float(np.mean(errors)), math.nan, math.nan, wrong, *student_measures.training_effort(made)]
    w, b = line
    R = student_measures.normalized_overlap(w, w_star)
    error = student_measures.linear_disagreement(R, b / float(np.linalg.norm(w)))
    return [
        error,
        R,
        student_measures.linear_stability(w, b, xi, S),
        wrong,
        *student_measures.training_effort(made),
    ]


def draw_reflected_examples(
    seed: int, repeat: int, P: int, N: int, noise: float
) -> tuple[Floats, Floats, Floats]:
    """Inputs, labels and teacher w* of length 1: those of the compiled students after the Householder
    reflection that moves the direction (1, .., 1) to a random one, drawn for each repeat."""
    xi, S = np.empty((P, N)), np.empty(P)
    draw_labelled_examples(seed, N, P, repeat, TEACHER, noise, xi, S)
    w_star = np.random.default_rng([seed, N, P, repeat, DIRECTION]).standard_normal(N)
    w_star /= np.linalg.norm(w_star)
    normal = w_star - np.full(N, N**-0.5)
    normal /= np.linalg.norm(normal)
    return xi - 2 * np.outer(xi @ normal, normal), S, w_star


def cost(P: int, N: int) -> float:
    return float(ASSUMED_PASSES * P * N + TESTS * N + 2e6)
