"""Stability, generalization error and time of every student of markone on the same rule.

python examples/students_and_teacher.py [--N 200] [--alpha 2] [--noise 0] [--sets 20] [--seed 0]
"""

import argparse
import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from markone.data import Examples, teacher_examples
from markone.perceptron import (
    LMS,
    Adaline,
    AdaTron,
    Hebb,
    KernelAdaTron,
    MarginCost,
    MinOver,
    PerceptronRule,
    Pocket,
    Rosenblatt,
    separability,
)
from markone.perceptron.measures import generalization_error, overlap
from markone.perceptron.theory import adaline, hebb, max_stability, soft_margin

Prediction = Callable[[float, float], float] | None
HOMOGENEOUS = {"fit_intercept": False}


class Line(NamedTuple):
    name: str
    student: Any
    theory: Prediction = None


def students(N: int, noise: float) -> list[Line]:
    """The students, and the exact prediction for N -> infinity where there is one."""
    c = np.sqrt(2 / np.pi) * (1 - 2 * noise)
    tau = 1 / c**2 - 1  # optimal weight decay

    def ridge(alpha: float, noise: float) -> float:
        return float(adaline.generalization_error(alpha, noise, ridge=tau))

    def soft(alpha: float, noise: float) -> float:
        return float(soft_margin.generalization_error(alpha, noise, gamma=1.0))

    same = HOMOGENEOUS
    return [
        Line("Hebb", Hebb(**same), hebb.generalization_error),
        Line("Rosenblatt", Rosenblatt(**same)),
        Line("Rosenblatt, c = 1", Rosenblatt(c=1.0, **same)),
        Line("PerceptronRule", PerceptronRule(**same)),
        Line("Pocket", Pocket(max_iter=200, random_state=0, **same)),
        Line("LMS", LMS(eta0="mean", count="sample", max_iter=200, **same)),
        Line("Adaline", Adaline(**same), adaline.generalization_error),
        Line("Adaline, best ridge", Adaline(ridge=N * tau, **same), ridge),
        Line("MarginCost, k = 1", MarginCost(k=1, **same)),
        Line("MarginCost, k = 2", MarginCost(k=2, **same)),
        Line("MinOver", MinOver(**same), max_stability.generalization_error),
        Line("AdaTron", AdaTron(**same), max_stability.generalization_error),
        Line("AdaTron, gamma = 1", AdaTron(C=1.0 / N, **same), soft),
        Line(
            "KernelAdaTron, linear",
            KernelAdaTron(kernel="linear", **same),
            max_stability.generalization_error,
        ),
    ]


def weights(student: Any, data: Examples) -> np.ndarray:
    if hasattr(student, "coef_"):
        return student.coef_[0]
    return data.xi.T @ (student.embedding_ * data.S)


def examine(line: Line, sets: list[Examples]) -> tuple[np.ndarray, float]:
    """Per set: stability, its upper bound, eps_g; and the median time of a fit in milliseconds."""
    rows, times = [], []
    line.student.fit(sets[0].xi, sets[0].S)  # compiles
    for data in sets:
        start = time.perf_counter()
        line.student.fit(data.xi, data.S)
        times.append(time.perf_counter() - start)
        R = overlap(weights(line.student, data), data.w_star)
        rows.append((*line.student.stability_bounds_, generalization_error(R)))
    return np.array(rows), 1e3 * float(np.median(times))


def main() -> None:
    options = arguments()
    N, alpha, noise = options.N, options.alpha, options.noise
    P = round(alpha * N)
    sets = [teacher_examples(P, N, noise, seed=[options.seed, k]) for k in range(options.sets)]
    separable = sum(bool(separability(data.xi, data.S)) for data in sets)
    print(f"\nA rule in N = {N} dimensions, P = {P} examples (alpha = {P / N:g}), label noise {noise:g}.")
    print(f"{separable} of {len(sets)} sets are linearly separable (each with a proof).\n")
    print(
        "                           stability   at most     eps_g  +- error   theory   deviation        time"
    )
    for line in students(N, noise):
        with warnings.catch_warnings():
            if separable < len(sets):
                # Printed above once: students that need separable data would warn for every set.
                warnings.simplefilter("ignore", ConvergenceWarning)
            rows, milliseconds = examine(line, sets)
        print(table_row(line, rows, milliseconds, P / N, noise), flush=True)
    print(
        "\nstability: kappa of the student; at most: certified bound on the best possible kappa; theory:"
        "\nexact for N -> infinity (deviation in standard errors; some of order 1/N is to be expected)."
    )


def table_row(line: Line, rows: np.ndarray, milliseconds: float, alpha: float, noise: float) -> str:
    kappa, bound, eps = rows.mean(axis=0)
    error = rows[:, 2].std(ddof=1) / np.sqrt(len(rows))
    theory, deviation = "       ", "         "
    if line.theory is not None and np.isfinite(expected := float(line.theory(alpha, noise))):
        theory, deviation = f"{expected:7.4f}", f"{(eps - expected) / error:+7.1f} s"
    return (
        f"{line.name:24s} {kappa:11.4f} {bound:9.4f}   {eps:7.4f}  {error:8.4f}  {theory}   {deviation}"
        f" {milliseconds:9.2f} ms"
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--N", type=int, default=200, help="dimensions (default 200)")
    parser.add_argument("--alpha", type=float, default=2.0, help="examples per dimension (default 2)")
    parser.add_argument("--noise", type=float, default=0.0, help="probability of a flipped label (default 0)")
    parser.add_argument("--sets", type=int, default=20, help="independent sets, two at least (default 20)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.N < 2 or options.alpha * options.N < 1.5 or options.sets < 2 or not 0 <= options.noise < 0.5:
        parser.error("N >= 2, alpha N >= 2, sets >= 2 and 0 <= noise < 0.5 are needed.")
    return options


if __name__ == "__main__":
    main()
