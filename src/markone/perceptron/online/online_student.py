"""On-line learning: each example is presented once, and the teacher may drift."""

from collections.abc import Callable
from numbers import Real
from typing import Annotated, Any

import numpy as np

from markone.base.parameters import NotNegative, Positive, Record
from markone.base.sklearn_compat import Interval
from markone.numerics.arrays import Array
from markone.numerics.text import unknown_name_text
from markone.perceptron.base.incremental import IncrementalStudent
from markone.perceptron.base.problem import Problem, Trained
from markone.perceptron.base.recorder import Recorder, bind_log, start_recording
from markone.perceptron.modulations import _stack_machine
from markone.perceptron.modulations import grammar as modulations
from markone.perceptron.online import _online

# A larger modulation is treated as divergence.
LARGEST = 1e100
RULES = {
    "hebb": _online.HEBB,
    "rosenblatt": _online.ROSENBLATT,
    "lms": _online.LMS,
    "adatron": _online.ADATRON,
    "optimal": _online.OPTIMAL,
    "optimal_rate": _online.OPTIMAL_RATE,
}


class OnlineStudent(IncrementalStudent):
    """w <- (1 - decay/N) w + (1/N) f S xi, in one pass over the examples, in the order given.

    `partial_fit` continues the stream. The theory for N -> infinity, with
    drifting teachers, is in `markone.perceptron.theory.online`.

    Parameters
    ----------
    rule : {"hebb", "rosenblatt", "lms", "adatron", "optimal", "optimal_rate"}, str or function
        f = 1; 1 where E <= c; eta (1 - E); -eta E where E < 0; the optimal modulation (Kinouchi and
        Caticha 1992); eta(theta) |w| where E <= 0 with the optimal rate. Or any f of (3.12) as an expression
        of E, w = |w|, h = |xi|^2/N, eta, c and alpha, such as "1 if E <= 0 else 0" or
        "eta * max(0, 1 - E) / h" (`markone.perceptron.modulations`): parsed into a small program, never
        evaluated by Python. Or a user-defined function f(E), plain or compiled by numba, called once
        for each example.
    eta : float
        Learning rate of "lms" and "adatron", in units of 1/C_mumu.
    c : float
        Margin of "rosenblatt".
    decay : float
        Fraction decay/N of w removed with each example. "hebb" needs it to follow a drifting teacher;
        it has no effect on the direction of w for "adatron" and the optimal rules, which are scale-free.
    noise, drift : float
        Assumed by the optimal rules: probability of a wrong label, and drift of the teacher (its overlap
        with itself decreases by drift/N with each example).
    fit_intercept : bool
        Learn a threshold as the weight of a clamped input (3.4). The optimal rules are optimal for isotropic
        inputs without threshold.
    record : {"updates", "presentations"} or None
        Keep every update (or presentation) in `history_`, bounded in memory; after `partial_fit`
        that of the last batch.

    Attributes
    ----------
    n_seen_ : int
        Examples seen.
    n_updates_ : int
        Examples with f != 0.
    stability_ : float
        kappa of this student on the training examples, after `fit` only.
    stability_bounds_ : tuple of float
        Proven bounds (lower, upper) on the optimal stability, after `fit` only.
    converged_ : bool
        Whether all examples are classified correctly, after `fit` only.

    Examples
    --------
    >>> from markone import OnlineStudent
    >>> from markone.data import teacher_examples
    >>> xi, S, _ = teacher_examples(2000, 100, seed=0)
    >>> student = OnlineStudent(rule="optimal", fit_intercept=False)
    >>> student.partial_fit(xi[:1000], S[:1000], classes=[-1, 1]).partial_fit(xi[1000:], S[1000:]).n_seen_
    2000
    """

    rule: Annotated[str | Callable[[float], float], str, callable] = "rosenblatt"
    eta: Positive = 1.0
    c: NotNegative = 0.0
    decay: NotNegative = 0.0
    noise: Annotated[float, Interval(Real, 0, 0.5, closed="left")] = 0.0
    drift: NotNegative = 0.0
    record: Record = None

    def _train(self, problem: Problem, start: Trained | None) -> Trained:
        return self._single_pass(problem, np.zeros(problem.N), 0)

    def _learn_batch(self, problem: Problem, w: Array) -> Trained:
        return self._single_pass(problem, w, self.n_seen_)

    def _single_pass(self, problem: Problem, w: Array, seen: int) -> Trained:
        if self.decay >= problem.N:
            raise ValueError(
                f"decay is {self.decay:g}, but the fraction decay/N of w removed with each example "
                f"must be below one: N is {problem.N} here."
            )
        recorder = start_recording(self, problem, w=w)
        if callable(self.rule):
            updates = self._apply_function(self.rule, problem, w, recorder)
        elif self.rule in RULES:
            belief = self._belief_schedule(problem, seen, self.rule)
            how = (RULES[self.rule], self.eta, self.c, self.noise, self.decay, belief)
            updates = bind_log(_online.learn_online, recorder)(problem.xi, problem.S, w, *how)
        else:
            updates = self._apply_expression(self.rule, problem, w, seen, recorder)
        return Trained(w, n_updates=int(updates), history=recorder.build_history() if recorder else None)

    def _apply_function(
        self, rule: Callable[[float], float], problem: Problem, w: Array, recorder: Recorder | None
    ) -> int:
        """Updates of one pass with a user-defined function as modulation, called once for each example."""
        learned = bind_log(_stack_machine.learn_example, recorder)
        updates = 0
        for mu in range(problem.P):
            f = float(rule(_stack_machine.example_potential(problem.xi, problem.S, mu, w)))
            if not abs(f) < LARGEST:
                raise modulations.nonfinite_modulation_error(getattr(rule, "__name__", "f"), mu)
            learned(problem.xi, problem.S, mu, w, f, float(self.decay))
            updates += f != 0.0
        return updates

    def _apply_expression(
        self, rule: str, problem: Problem, w: Array, seen: int, recorder: Recorder | None
    ) -> int:
        """Updates of one pass with a modulation given as an expression."""
        if rule.isidentifier() and rule not in modulations.VARIABLES:
            message = unknown_name_text("rule", rule, RULES)
            raise ValueError(f"{message} Custom rules are expressions of E, such as '1 if E <= 0 else 0'.")
        program = modulations.parse_modulation(rule)
        learn = bind_log(_stack_machine.learn_program, recorder)
        how = (program.code, program.numbers, float(self.eta), float(self.c), float(self.decay), seen)
        updates, stopped = learn(problem.xi, problem.S, w, *how)
        if stopped >= 0:
            raise modulations.nonfinite_modulation_error(rule, stopped)
        return int(updates)

    def _belief_schedule(self, problem: Problem, seen: int, rule: str) -> Array:
        """Overlap assumed by an optimal rule for each example: the theory at alpha = examples seen/N."""
        if not rule.startswith("optimal"):
            return np.zeros(problem.P)
        # Lazy: importing the integrator of the flow takes longer than learning with the other rules.
        from markone.perceptron.theory.online.schedules import optimal_schedule

        return optimal_schedule(rule, seen, seen + problem.P, problem.N, self.noise, self.drift).copy()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # One pass is not enough for small sets.
        tags.classifier_tags.poor_score = True
        return tags
