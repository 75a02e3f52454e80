"""Any classifier as the student of a teacher, on the data of the compiled students in a random orientation.

The compiled students are rotation invariant and keep the teacher (1, .., 1). For any other, inputs and
teacher are reflected together: the teacher has a random direction, and an invariant student the same results.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from markone.lab.scenario import iterate_streams
from markone.lab.scenarios.estimators import student_expressions, student_measures
from markone.lab.scenarios.estimators.student_expressions import FunctionStudent, learned_weights
from markone.lab.scenarios.rule._examples import (
    DIRECTION,
    TEACHER,
    add_input_noise,
    draw_labelled_examples,
    draw_rotated_examples,
    measure_weights,
)
from markone.numerics._random import TRAINING
from markone.numerics.arrays import Floats

TESTS = 2000  # new examples for a student that is not linear
ASSUMED_PASSES = 200  # assumed cost of a fit: unknown for an arbitrary estimator


def train_estimator_block(
    student: str, seed: int, start: int, stop: int, P: int, N: int, noise: float, input_noise: float = 0.0
) -> Floats:
    """epsilon_g, R, kappa, epsilon_t, iterations, stopped: one row per repeat."""
    made = student_expressions.parse_student(student)
    if isinstance(made, FunctionStudent):
        return _train_function_block(made.learn, seed, start, stop, P, N, noise, input_noise)
    repeats = range(start, stop)
    return np.array([_train_estimator(student, seed, repeat, P, N, noise, input_noise) for repeat in repeats])


def _train_function_block(
    learn: Callable[..., Any],
    seed: int,
    start: int,
    stop: int,
    P: int,
    N: int,
    noise: float,
    input_noise: float = 0.0,
) -> Floats:
    """The same for a function (xi, S, rng) -> w, without an estimator: 10 us beside its own for N = 20."""
    out = np.full((stop - start, 6), math.nan)
    xi, S, w_star = np.empty((P, N)), np.empty(P), np.empty(N)
    streams = iterate_streams(seed, start, stop, TRAINING)
    for row, repeat, rng in zip(out, range(start, stop), streams, strict=True):
        if input_noise > 0:
            xi, S, w_star = draw_reflected_examples(seed, repeat, P, N, noise, input_noise)
        else:
            draw_rotated_examples(seed, N, P, repeat, noise, xi, S, w_star)
        if not measure_weights(xi, S, learned_weights(learn, xi, S, rng), w_star, row):
            raise ValueError(f"{learn.__name__} returned weights that are not finite.")
    return out


def _train_estimator(
    student: str, seed: int, repeat: int, P: int, N: int, noise: float, input_noise: float
) -> list[float]:
    xi, S, w_star = draw_reflected_examples(seed, repeat, P, N, noise, input_noise)
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
    seed: int, repeat: int, P: int, N: int, noise: float, input_noise: float = 0.0
) -> tuple[Floats, Floats, Floats]:
    """Inputs, labels and teacher w* of length 1: those of the compiled students after the Householder
    reflection that moves the direction (1, .., 1) to a random one, drawn for each repeat."""
    xi, S = np.empty((P, N)), np.empty(P)
    draw_labelled_examples(seed, N, P, repeat, TEACHER, noise, xi, S)
    Z = S[:, None] * xi
    add_input_noise(seed, N, P, repeat, input_noise, Z)
    xi = S[:, None] * Z
    w_star = np.random.default_rng([seed, N, P, repeat, DIRECTION]).standard_normal(N)
    w_star /= np.linalg.norm(w_star)
    normal = w_star - np.full(N, N**-0.5)
    normal /= np.linalg.norm(normal)
    return xi - 2 * np.outer(xi @ normal, normal), S, w_star


def cost(P: int, N: int) -> float:
    return float(ASSUMED_PASSES * P * N + TESTS * N + 2e6)
