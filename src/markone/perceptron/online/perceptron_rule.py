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
    eta0 : float
        First learning rate; with 0.5 a mistake adds exactly S xi.
    schedule : {"constant", "inverse", "search_then_converge"}
        eta0, eta0 / n, or eta0 / (1 + n/tau).
    max_iter : int
        Maximum number of epochs. Training stops when an epoch leaves the weights unchanged.

    Attributes
    ----------
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

    eta0: float = 0.5

    def _is_converged(self, problem: Problem, w: Array, before: Array, last: int) -> bool:
        # In random order an epoch without a mistake may not have presented every example.
        return last == 0 and (self.order != "random" or problem.trace_row(0, w)[1] == 0)

    def _nonconvergence_message(self, problem: Problem, w: Array) -> str:
        errors = problem.trace_row(0, w)[1]
        return (
            f"stopped after max_iter = {self.max_iter} epochs with {errors} of {problem.P} examples wrong. "
            "Raise max_iter, check separability(X, y), or use Pocket or AdaTron(C=1), which tolerate errors."
        )
