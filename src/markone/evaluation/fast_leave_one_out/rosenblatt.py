"""Conditions for fast validation of Rosenblatt students, and the arguments of the compiled loops."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone

from markone.base.convergence_warning import warn_not_converged
from markone.evaluation.fast_leave_one_out._rosenblatt import (
    Position,
    Settings,
    continue_epochs,
    train_without_each,
)
from markone.numerics.arrays import Array
from markone.numerics.threads import map_in_threads
from markone.perceptron import Rosenblatt
from markone.perceptron.base.problem import GRAM_LIMIT_BYTES, Problem


def supports_rosenblatt(student: Any, P: int) -> bool:
    """True for cyclic order from zero on weights, if the matrix of correlations fits into memory."""
    return (
        type(student) is Rosenblatt
        and (student.order, student.start, student.run_on) == ("cyclic", "zero", "weights")
        and not student.warm_start
        and not student.normalize
        and 8 * P * P <= GRAM_LIMIT_BYTES
    )


@dataclass
class SharedExamples:
    """Examples of all training sets, validated once."""

    student: Rosenblatt
    X: Any
    y: Array

    def __post_init__(self) -> None:
        self.student = clone(self.student)
        self.X, self.y = self.student._read_data(self.X, self.y)
        self.student._set_classes(self.y)
        self.augmented = self.student._append_clamped_input(self.X)
        self.targets = self.student._make_targets(self.y)
        self.problem = Problem(self.augmented, self.targets[0])

    @cached_property
    def K(self) -> Array:
        """xi . xi of all pairs; float32 where that is exact, as for black and white pixels."""
        X = self.augmented.astype(np.float64)
        K: Array = X @ X.T
        K = K.toarray() if hasattr(K, "toarray") else K
        short = K.astype(np.float32)
        return short if (short == K).all() else K

    def _settings(self) -> Settings:
        # |xi . xi'| / N is at most the largest |xi|^2 / N (Cauchy and Schwarz).
        largest = float(self.problem.C_diagonal.max())
        return Settings(float(self.student.eta), float(self.student.c), self.student.max_iter, largest)

    def leave_each_out(self, S: Array) -> tuple[Array, Array, Array, int]:
        """(weights, epochs, converged) without each example, and the number of refits."""
        P, N = self.problem.P, self.problem.N
        W, epochs, converged = np.empty((P, N)), np.empty(P, np.int64), np.empty(P, np.bool_)
        refits = train_without_each(self.problem.xi, self.K, S, self._settings(), W, epochs, converged)
        return W, epochs, converged, int(refits)

    def warn_not_converged(self, converged: Array) -> None:
        """Warn once about all students that did not converge."""
        n_stopped = int(np.sum(~converged))
        if n_stopped:
            warn_not_converged(
                f"{n_stopped} of {np.size(converged)} students stopped after max_iter = "
                f"{self.student.max_iter} epochs before all examples were learned: raise max_iter, or use "
                "AdaTron(C=1)."
            )

    def train_on(self, train: Array, S: Array) -> tuple[Array, int, bool]:
        """(weights, epochs, converged) of the student trained on the examples `train`, in that order."""
        P, N = self.problem.P, self.problem.N
        w, h, turn = np.zeros(N), np.zeros(P), np.asarray(train, dtype=np.int64)
        how = (Position(0, 0, 0, 0), self._settings())
        epochs, _, converged = continue_epochs(self.problem.xi, self.K, S, turn, -1, w, h, *how)
        return w, int(epochs), bool(converged)

    def compute_potentials(self, rows: Any, W: Array) -> Array:
        """Potentials by the same operations as `decision_function`: where E = 0 the last bit decides."""
        if not self.student.fit_intercept:
            return np.asarray(self.X[rows] @ W.T)
        coef, intercept = W[:, :-1].copy(), W[:, -1] * self.student.intercept_scaling
        return np.asarray(np.asarray(self.X[rows] @ coef.T) + intercept)


def rosenblatt_left_out_potentials(
    student: Any, X: Any, y: Array, n_jobs: int | None = None
) -> tuple[Any, Array, int]:
    """Student, potentials of the left-out examples and number of refits."""
    shared, refits, columns, ended = SharedExamples(student, X, y), 0, [], []
    for W, _, converged, n in map_in_threads(shared.leave_each_out, shared.targets, n_jobs):
        refits += n
        ended.append(converged)
        columns.append([shared.compute_potentials([mu], W[mu : mu + 1])[0, 0] for mu in range(len(y))])
    shared.warn_not_converged(np.array(ended))
    return shared.student, np.array(columns).T, refits
