"""The pocket algorithm: few errors on data that are not separable   (4.1, 4.2)."""

from dataclasses import field
from typing import Annotated, Any

import numpy as np
from scipy import sparse

from markone.base.parameters import Count
from markone.base.sklearn_compat import StrOptions
from markone.numerics.arrays import Array
from markone.perceptron.base.epochs import epochs_per_call
from markone.perceptron.base.parameters import ProblemThreads, RandomOrder, TrainingLog
from markone.perceptron.base.problem import Problem, Trained, initial_strengths
from markone.perceptron.base.recorder import Recorder, bind_log, start_recording
from markone.perceptron.base.weighted import RepeatingStudent
from markone.perceptron.fewest_errors.minimum import count_disjoint_subsets
from markone.perceptron.students._pocket import count_wrong_examples, pocket_exact, pocket_ratchet


class Pocket(TrainingLog, RandomOrder, ProblemThreads, RepeatingStudent):
    """Rosenblatt's rule in random order; the pocket holds the weights with the fewest errors so far.

    The number of errors in the pocket never rises and reaches its minimum with probability one, but
    without a bound on the time: finding the minimum is NP-hard.

    Parameters
    ----------
    method : {"auto", "exact", "ratchet"}
        "exact" counts errors after every update, as in (4.2), updating all P potentials by one row of the
        correlation matrix: O(P) per update. "ratchet" (Gallant) needs no matrix: it counts errors only
        after a run of correct answers longer than any before. "auto" is "exact" up to P = 8192.
    max_iter : int
        Epochs of P presentations. Training stops earlier only if a student without errors is found.
    bound : bool
        Set `errors_bounds_`: the fewest errors of any student are between these numbers, proven. The lower
        one is the number of disjoint subsets of the examples that are not separable, the upper one
        `n_errors_`; `MinimalErrors` closes the gap. Needs fit_intercept=True.
    trace : bool
        Keep errors, stability and norm of the pocket after each epoch in `trace_`.
    record : {"updates", "presentations"} or None
        Keep every update (or presentation) in `history_`; its states "pocket_w" are those of the pocket.

    Attributes
    ----------
    n_errors_ : int
        Errors of the pocket on the training examples.
    converged_ : bool
        True if `n_errors_` is zero. False does not prove that the minimum was not reached.
    embedding_ : array (P,)
        x^mu, the embedding strength of each example.

    Examples
    --------
    >>> from markone import Pocket
    >>> student = Pocket(max_iter=100, random_state=0).fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> student.n_errors_
    1
    """

    n_errors_: int | Array = field(init=False)

    method: Annotated[str, StrOptions({"auto", "exact", "ratchet"})] = "auto"
    max_iter: Count = 1000
    bound: bool = False

    def _train(self, problem: Problem, start: Trained | None) -> Trained:
        exact = self.method == "exact" or (self.method == "auto" and problem.fits_gram())
        search = _Exact(problem, start) if exact else _Ratchet(problem, start)
        recorder = search.recorder = start_recording(self, problem, **search.recorded_vectors())
        if recorder:
            recorder.fixed = search.fixed if exact else recorder.fixed
        epochs, updates, trace = 0, 0, []
        block = 1 if self.trace else epochs_per_call(problem)
        while epochs < self.max_iter and search.errors > 0:
            made, shown = search.run_presentations(min(block, self.max_iter - epochs) * problem.P)
            updates += made
            epochs += -(-shown // problem.P)
            if self.trace:
                trace.append(problem.trace_row(epochs, search.weights()))
        w = search.weights()
        # Counted again: updated potentials may differ from an exact 0 by rounding.
        errors = int(count_wrong_examples(problem.xi, problem.S, w, problem.P + 1))
        extra: dict[str, Any] = {"n_errors_": errors}
        if self.bound:
            extra["errors_bounds_"] = (self._prove_lower_bound(problem, errors), errors)
        history = recorder.build_history() if recorder else None
        return Trained(w, search.best_x, epochs, updates, errors == 0, "", trace, extra, history=history)

    def _prove_lower_bound(self, problem: Problem, errors: int) -> int:
        """Number of disjoint subsets that are not separable, at most `errors`."""
        if not self.fit_intercept:
            raise ValueError("bound needs fit_intercept=True: a threshold makes potentials of 0 avoidable.")
        X = problem.X.toarray() if sparse.issparse(problem.X) else problem.X
        Z = np.array(problem.S[:, None] * X, dtype=np.float64, order="C")
        # The number of errors does not depend on the value of the clamped input.
        Z[:, -1] = problem.S
        return count_disjoint_subsets(Z, errors, lambda n: True)[0]


class _Search:
    """Initial state and pocket, common to both methods."""

    recorder: Recorder | None = None

    def __init__(self, problem: Problem, start: Trained | None) -> None:
        self.problem = problem
        self.state = np.array([problem.seed], dtype=np.uint64)
        self.x = initial_strengths(start, problem.P)
        self.w: Array = np.zeros(problem.N) if start is None else start.w.copy()
        self.fixed = self.w - problem.weights_from_strengths(self.x)
        self.best_x = self.x.copy()
        self.errors = problem.P
        if start is not None:
            self.errors = int(count_wrong_examples(problem.xi, problem.S, self.w, problem.P))


class _Exact(_Search):
    def __init__(self, problem: Problem, start: Trained | None) -> None:
        super().__init__(problem, start)
        self.C, self.E = problem.correlation_matrix(), problem.local_potentials(self.w)
        # Potentials of integer inputs are often exactly 0; sums of rows of C differ from 0 by rounding.
        self.tiny = 1e-12 * float(problem.C_diagonal.max(initial=0.0))

    def recorded_vectors(self) -> dict[str, Array]:
        return {"x": self.x, "pocket_x": self.best_x}

    def run_presentations(self, presentations: int) -> tuple[int, int]:
        S, pocket = self.problem.S, (self.best_x, self.errors)
        learn = bind_log(pocket_exact, self.recorder)
        best, updates, shown = learn(self.C, S, self.x, self.E, self.tiny, *pocket, presentations, self.state)
        self.errors = int(best)
        return int(updates), int(shown)

    def weights(self) -> Array:
        return self.fixed + self.problem.weights_from_strengths(self.best_x)


class _Ratchet(_Search):
    def __init__(self, problem: Problem, start: Trained | None) -> None:
        super().__init__(problem, start)
        self.best_w, self.runs = self.w.copy(), np.zeros(2, dtype=np.int64)

    def recorded_vectors(self) -> dict[str, Array]:
        return {"w": self.w, "pocket_w": self.best_w}

    def run_presentations(self, presentations: int) -> tuple[int, int]:
        p = self.problem
        learn = bind_log(pocket_ratchet, self.recorder)
        pocket = (self.best_w, self.best_x, self.errors, self.runs)
        best, updates, shown = learn(p.xi, p.S, self.w, self.x, *pocket, presentations, self.state)
        # The current run may be the longest: compare its weights, too.
        errors = int(count_wrong_examples(p.xi, p.S, self.w, best))
        if errors < best:
            self.best_w[:], self.best_x[:], best = self.w, self.x, errors
        self.errors = int(best)
        return int(updates), int(shown)

    def weights(self) -> Array:
        return self.best_w
