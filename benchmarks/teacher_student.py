"""Learning a rule in the stability report's setting: blocks of MinOver students, data generation included."""

from collections.abc import Iterator

import numpy as np

from benchmarks.minover import train_like_appendix
from benchmarks.timing import Row, compare_in_turn
from markone.data import teacher_examples
from markone.lab.scenarios.rule.teacher_student import SCENARIO

N, SETS = 200, 2


def run_transcription(alpha, noise, sets=SETS):
    """The stability report in numpy: draw, train as in its appendix, take the angle to the teacher."""
    errors, updates = [], []
    for k in range(sets):
        xi, S, w_star = teacher_examples(round(alpha * N), N, noise, seed=k)
        w, n = train_like_appendix(xi, S)
        errors.append(np.arccos(w @ w_star / np.linalg.norm(w) / np.linalg.norm(w_star)) / np.pi)
        updates.append(n)
    return np.mean(errors), np.mean(updates)


def compare() -> Iterator[Row]:
    for alpha, noise in [(0.5, 0.0), (1.0, 0.0), (2.0, 0.0)]:
        point = {"N": N, "alpha": alpha, "noise": noise, "student": "minover"}
        ours = SCENARIO.run(point, 0, 0, SETS)
        yield compare_in_turn(
            f"{SETS} MinOver students N={N} alpha={alpha} noise={noise}",
            lambda point=point: SCENARIO.run(point, 0, 0, SETS),
            "numpy transcription",
            lambda alpha=alpha, noise=noise: run_transcription(alpha, noise),
            target=100,
            rounds=3,
            note=(
                f"updates {ours['updates'].mean():.0f} and {run_transcription(alpha, noise)[1]:.0f} a student"
            ),
        )
