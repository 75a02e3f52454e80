"""w += eta(n) (d - y) xi, one example at a time: the LMS rule of Widrow and Hoff, and the perceptron rule."""

from dataclasses import field
from typing import Annotated, Any, ClassVar

import numpy as np

from markone.base.parameters import POSITIVE, Count, NotNegative, Positive
from markone.base.sklearn_compat import StrOptions
from markone.numerics._random import ORDERS
from markone.numerics.arrays import Array
from markone.perceptron.base._loops import ExampleOrder
from markone.perceptron.base.epochs import run_epochs
from markone.perceptron.base.incremental import IncrementalStudent
from markone.perceptron.base.parameters import RandomOrder, TrainingLog
from markone.perceptron.base.problem import Problem, Trained
from markone.perceptron.base.recorder import Recorder, bind_log, start_recording
from markone.perceptron.base.weighted import RepeatingStudent
from markone.perceptron.online._lms import (
    CONSTANT,
    INVERSE,
    SEARCH_THEN_CONVERGE,
    RateSchedule,
    learn_delta_rule,
)

SCHEDULES = {"constant": CONSTANT, "inverse": INVERSE, "search_then_converge": SEARCH_THEN_CONVERGE}


class DeltaRule(TrainingLog, RandomOrder, IncrementalStudent, RepeatingStudent):
    """The unit is linear (y = w . xi) or hard-limited (y = sign(w . xi)): see `LMS`, `PerceptronRule`.

    Parameters
    ----------
    schedule : {"search_then_converge", "constant", "inverse"}
        eta0 / (1 + n/tau), eta0, or eta0 / n.
    tau : float
        Search time: the rate starts to decrease after about tau steps.
    count : {"epoch", "sample"}
        What n, the time in the schedule, counts.
    order : {"cyclic", "random", "shuffled"}
        Order of presentation: cyclic, random with replacement, or a new permutation each epoch.
    """

    hard: ClassVar[bool]
    schedule: Annotated[str, StrOptions(set(SCHEDULES))] = "constant"
    tau: Positive = 10.0
    count: Annotated[str, StrOptions({"sample", "epoch"})] = "epoch"
    order: Annotated[str, StrOptions(set(ORDERS))] = "cyclic"
    max_iter: Count = 1000
    mse_: float | Array = field(init=False)

    def _first_rate(self, problem: Problem) -> float:
        return float(self.eta0)

    def _is_converged(self, problem: Problem, w: Array, before: Array, last: int) -> bool:
        """True if an epoch that changed `before` to w in `last` updates ends the training."""
        raise NotImplementedError

    def _nonconvergence_message(self, problem: Problem, w: Array) -> str:
        raise NotImplementedError

    def _make_step(self, problem: Problem, w: Array, n: int, recorder: Recorder | None = None) -> Any:
        one_epoch = bind_log(learn_delta_rule, recorder)
        turn, eta0 = ExampleOrder.start(self.order, problem), self._first_rate(problem)
        rates = RateSchedule(SCHEDULES[self.schedule], eta0, float(self.tau), self.count == "epoch")

        def present_epochs(epochs: int) -> tuple[int, int, bool]:
            nonlocal n
            before = w.copy()
            n, updates, last = one_epoch(problem.xi, problem.S, w, self.hard, rates, n, epochs, turn)
            if not np.abs(w).max() < 1e100:
                raise ValueError(
                    f"{type(self).__name__} diverges with a first learning rate of {eta0:.3g}: too large for "
                    "inputs of this size. Lower eta0, scale the inputs, or let the rate decrease."
                )
            return epochs, updates, self._is_converged(problem, w, before, last)

        return present_epochs

    def _train(self, problem: Problem, start: Trained | None) -> Trained:
        w = np.zeros(problem.N) if start is None else start.w.copy()
        # One epoch per call: convergence is tested after each.
        recorder = start_recording(self, problem, w=w)
        step = self._make_step(problem, w, 0, recorder)
        result = run_epochs(step, problem, lambda: w, lambda: True, self.max_iter, 1, self.trace)
        message = "" if result.converged else self._nonconvergence_message(problem, w)
        done = (result.n_epochs, result.n_updates, result.converged)
        history = recorder.build_history() if recorder else None
        extra = {"mse_": problem.trace_row(0, w)[-1]}
        return Trained(w, None, *done, message, result.trace, extra, history=history)

    def _learn_batch(self, problem: Problem, w: Array) -> Trained:
        w = w.copy()
        n = int(np.max(self.n_iter_)) if self.count == "epoch" else self.n_seen_
        recorder = start_recording(self, problem, w=w)
        _, updates, _ = self._make_step(problem, w, n, recorder)(1)
        return Trained(w, n_updates=updates, history=recorder.build_history() if recorder else None)


class LMS(DeltaRule):
    """Least mean squares by instantaneous estimates of the gradient, with a schedule for the rate.

    Unlike `Adaline` it divides by neither N nor |xi|^2, as in the engineering literature.

    Parameters
    ----------
    eta0 : float, "sum" or "mean"
        First learning rate; "sum" is 2 / trace(sum_mu xi xi^T), which is stable for any schedule; "mean"
        is 2 / trace of the mean, P times larger, and needs a schedule that decreases with every sample.
    tol : float
        Stop when an epoch changes no weight by more than tol times the largest weight. A decreasing
        rate also ends here: check `mse_`.
    max_iter : int
        Maximum number of epochs. Reaching it is not a failure and gives no warning.

    Attributes
    ----------
    mse_ : float
        Mean squared error of w . xi on the training examples; its minimum is that of `Adaline`.

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

    eta0: Annotated[float | str, POSITIVE, StrOptions({"sum", "mean"})] = "sum"
    schedule: str = "search_then_converge"
    tol: NotNegative = 1e-6

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


class PerceptronRule(DeltaRule):
    """The delta rule with y = sign(w . xi): only mistakes change the weights.

    From zero weights the direction of w does not depend on a constant eta0. It differs from `Rosenblatt`
    only in the first step: sign(0) = +1 is correct for d = +1.

    Parameters
    ----------
    eta0 : float
        First learning rate; with 0.5 a mistake adds exactly S xi.
    max_iter : int
        Maximum number of epochs. Training stops when an epoch leaves the weights unchanged.

    Attributes
    ----------
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

    eta0: Positive = 0.5

    def _is_converged(self, problem: Problem, w: Array, before: Array, last: int) -> bool:
        # In random order an epoch without a mistake may not have presented every example.
        return last == 0 and (self.order != "random" or problem.trace_row(0, w)[1] == 0)

    def _nonconvergence_message(self, problem: Problem, w: Array) -> str:
        errors = problem.trace_row(0, w)[1]
        return (
            f"stopped after max_iter = {self.max_iter} epochs with {errors} of {problem.P} examples wrong. "
            "Raise max_iter, check separability(X, y), or use Pocket or AdaTron(C=1), which tolerate errors."
        )
