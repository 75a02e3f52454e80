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
    eta0 : float, "sum" or "mean", default="sum"
        First learning rate; "sum" is 2 / trace(sum_mu xi xi^T), which is stable for any schedule; "mean"
        is 2 / trace of the mean, P times larger, and needs a schedule that decreases with every sample.
    schedule : {"search_then_converge", "constant", "inverse"}, default="search_then_converge"
        eta0 / (1 + n/tau), eta0, or eta0 / n.
    tau : float, default=10.0
        Search time: the rate starts to decrease after about tau steps.
    count : {"epoch", "sample"}, default="epoch"
        What n counts.
    order : {"cyclic", "random", "shuffled"}, default="cyclic"
        Order of presentation: cyclic, random with replacement, or a new permutation each epoch.
    tol : float, default=1e-6
        Stop when an epoch changes no weight by more than tol times the largest weight. A decreasing
        rate also ends here: check `mse_`.
    max_iter : int, default=1000
        Maximum number of epochs. Reaching it is not a failure and gives no warning.
    fit_intercept : bool, default=True
        Learn a threshold as the weight of a clamped input (3.4).
    intercept_scaling : float, default=1.0
        Value of the clamped input. Its weight is part of |w| and so of every stability.
    normalize : bool, default=False
        With more than two classes, compare potentials divided by |w|.
    warm_start : bool, default=False
        Start from the weights (and strengths) of the last fit.
    trace : bool, default=False
        Keep errors, stability and norm of each epoch in `trace_`.
    record : {"updates", "presentations"} or None, default=None
        Keep every update (or presentation) in `history_`, bounded in memory.
    random_state : int, RandomState or None, default=None
        Seed of the random numbers; an integer makes the result reproducible.

    Attributes
    ----------
    mse_ : float
        Mean squared error of w . xi on the training examples; its minimum is that of `Adaline`.
    coef_ : array (1, N), or (K, N) for K > 2 classes
        The weights.
    intercept_ : array (1,), or (K,)
        The threshold, as an additive term.
    stability_ : float
        kappa of this student on the training examples.
    stability_bounds_ : tuple of float
        Proven bounds (lower, upper) on the optimal stability.
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

    def __init__(
        self,
        *,
        eta0: float | str = "sum",
        schedule: str = "search_then_converge",
        tau: float = 10.0,
        count: str = "epoch",
        order: str = "cyclic",
        tol: float = 1e-6,
        max_iter: int = 1000,
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        normalize: bool = False,
        warm_start: bool = False,
        trace: bool = False,
        record: str | None = None,
        random_state: Any = None,
    ) -> None:
        self.eta0 = eta0
        self.schedule = schedule
        self.tau = tau
        self.count = count
        self.order = order
        self.tol = tol
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.normalize = normalize
        self.warm_start = warm_start
        self.trace = trace
        self.record = record
        self.random_state = random_state

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
