"""The perceptron rule: LMS with a hard-limited unit, w += eta (d - sign(w . xi)) xi."""

from numbers import Real
from typing import Any, ClassVar

from markone.base.sklearn_compat import Interval
from markone.numerics.arrays import Array
from markone.perceptron.base.problem import Problem
from markone.perceptron.online.delta_rule import DeltaRule


class PerceptronRule(DeltaRule):
    """The delta rule with y = sign(w . xi): only mistakes change the weights.

    From zero weights the direction of w does not depend on a constant eta0. It differs from `Rosenblatt`
    only in the first step: sign(0) = +1 is correct for d = +1.

    Parameters
    ----------
    eta0 : float, default=0.5
        First learning rate; with 0.5 a mistake adds exactly S xi.
    schedule : {"constant", "inverse", "search_then_converge"}, default="constant"
        eta0, eta0 / n, or eta0 / (1 + n/tau).
    tau : float, default=10.0
        Search time: the rate starts to decrease after about tau steps.
    count : {"epoch", "sample"}, default="epoch"
        What n, the time in the schedule, counts.
    order : {"cyclic", "random", "shuffled"}, default="cyclic"
        Order of presentation: cyclic, random with replacement, or a new permutation each epoch.
    max_iter : int, default=1000
        Maximum number of epochs. Training stops when an epoch leaves the weights unchanged.
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
    mse_ : float
        Mean squared error of w . xi on the training examples.

    Examples
    --------
    >>> from markone import PerceptronRule
    >>> from markone.data import two_classes
    >>> xi, S, _ = two_classes("halo", 40)
    >>> PerceptronRule().fit(xi, S).score(xi, S)
    1.0
    """

    hard: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = DeltaRule._parameter_constraints | {
        "eta0": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        *,
        eta0: float = 0.5,
        schedule: str = "constant",
        tau: float = 10.0,
        count: str = "epoch",
        order: str = "cyclic",
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
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.normalize = normalize
        self.warm_start = warm_start
        self.trace = trace
        self.record = record
        self.random_state = random_state

    def _is_converged(self, problem: Problem, w: Array, before: Array, last: int) -> bool:
        # In random order an epoch without a mistake may not have presented every example.
        return last == 0 and (self.order != "random" or problem.trace_row(0, w)[1] == 0)

    def _nonconvergence_message(self, problem: Problem, w: Array) -> str:
        errors = problem.trace_row(0, w)[1]
        return (
            f"stopped after max_iter = {self.max_iter} epochs with {errors} of {problem.P} examples wrong. "
            "Raise max_iter, check separability(X, y), or use Pocket or AdaTron(C=1), which tolerate errors."
        )
