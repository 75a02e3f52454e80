"""LMS: the linear unit of Widrow and Hoff, w += eta(n) (d - w . xi) xi."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np

from markone.base.sklearn_compat import Interval, StrOptions
from markone.numerics.arrays import Array
from markone.perceptron.base.problem import Problem
from markone.perceptron.online.delta_rule import DeltaRule


class LMS(DeltaRule):
    """Least mean squares by instantaneous estimates of the gradient, with a schedule for the rate.

    Unlike `Adaline` it divides by neither N nor |xi|^2, as in the engineering literature.

    Parameters
    ----------
    eta0 : float, "sum" or "mean"
        First learning rate; "sum" is 2 / trace(sum_mu xi xi^T), which is stable for any schedule; "mean"
        is 2 / trace of the mean, P times larger, and needs a schedule that decreases with every sample.
    count : {"epoch", "sample"}
        What n counts.
    tol : float
        Stop when an epoch changes no weight by more than tol times the largest weight. A decreasing
        rate also ends here: check `mse_`.
    max_iter : int
        Maximum number of epochs. Reaching it is not a failure and gives no warning.

    Attributes
    ----------
    mse_ : float
        Mean squared error of w . xi on the training examples; its minimum is that of `Adaline`.
    converged_ : bool
        Whether the stop rule was met.
    n_iter_ : int
        Epochs used.
    n_updates_ : int
        Updates made.

    Examples
    --------
    >>> from markone import Adaline, LMS
    >>> from markone.data import two_classes
    >>> xi, S, _ = two_classes("dense", 40)
    >>> lms, best = LMS(max_iter=200).fit(xi, S), Adaline().fit(xi, S)
    >>> least = ((best.decision_function(xi) - S) ** 2).mean()
    >>> bool(least <= lms.mse_ < 1.1 * least)
    True
    """

    hard: ClassVar[bool] = False
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = DeltaRule._parameter_constraints | {
        "eta0": [Interval(Real, 0, None, closed="neither"), StrOptions({"sum", "mean"})],
        "tol": [Interval(Real, 0, None, closed="left")],
    }

    eta0: float | str = "sum"
    schedule: str = "search_then_converge"
    tol: float = 1e-6

    def _first_rate(self, problem: Problem) -> float:
        if not isinstance(self.eta0, str):
            return float(self.eta0)
        power = problem.N * problem.C_diagonal.sum()
        power /= problem.P if self.eta0 == "mean" else 1
        return 2.0 / power if power > 0 else 1.0

    def _is_converged(self, problem: Problem, w: Array, before: Array, last: int) -> bool:
        return bool(np.abs(w - before).max() <= self.tol * np.abs(w).max())

    def _nonconvergence_message(self, problem: Problem, w: Array) -> str:
        return ""
