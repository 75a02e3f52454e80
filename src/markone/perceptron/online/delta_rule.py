"""w += eta(n) (d - y) xi: schedules and training shared by LMS and the perceptron rule."""

from dataclasses import field
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from markone.base.sklearn_compat import Interval, StrOptions
from markone.numerics._random import ORDERS
from markone.numerics.arrays import Array
from markone.perceptron.base.epochs import ExampleOrder, run_epochs
from markone.perceptron.base.incremental import IncrementalStudent
from markone.perceptron.base.parameters import RandomOrder, TrainingLog
from markone.perceptron.base.problem import Problem, Trained
from markone.perceptron.base.recorder import Recorder, bind_log, start_recording
from markone.perceptron.base.repeated_examples import RepeatingStudent
from markone.perceptron.online._lms import CONSTANT, INVERSE, SEARCH_THEN_CONVERGE, learn_delta_rule

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
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "schedule": [StrOptions(set(SCHEDULES))],
        "tau": [Interval(Real, 0, None, closed="neither")],
        "count": [StrOptions({"sample", "epoch"})],
        "order": [StrOptions(set(ORDERS))],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }
    schedule: str = "constant"
    tau: float = 10.0
    count: str = "epoch"
    order: str = "cyclic"
    max_iter: int = 1000
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
        how = (self.hard, SCHEDULES[self.schedule], eta0, float(self.tau), self.count == "epoch")

        def step(epochs: int) -> tuple[int, int, bool]:
            nonlocal n
            before = w.copy()
            pick = (epochs, turn.order, turn.turn, turn.state)
            n, updates, last = one_epoch(problem.xi, problem.S, w, *how, n, *pick)
            if not np.abs(w).max() < 1e100:
                raise ValueError(
                    f"{type(self).__name__} diverges with a first learning rate of {eta0:.3g}: too large for "
                    "inputs of this size. Lower eta0, scale the inputs, or let the rate decrease."
                )
            return epochs, updates, self._is_converged(problem, w, before, last)

        return step

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
