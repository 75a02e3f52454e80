"""Rosenblatt's perceptron algorithm   (3.15)."""

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from markone.base.input_validation import validate_data
from markone.base.parameters import Count, NotNegative, Positive
from markone.base.sklearn_compat import StrOptions
from markone.numerics._random import ORDERS
from markone.numerics.arrays import Array
from markone.perceptron.base._loops import ExampleOrder, LoopSettings
from markone.perceptron.base.epochs import Run, epochs_per_call, run_epochs
from markone.perceptron.base.incremental import IncrementalStudent
from markone.perceptron.base.parameters import ProblemThreads, RandomOrder, TrainingLog
from markone.perceptron.base.problem import Problem, Trained, initial_strengths
from markone.perceptron.base.recorder import Recorder, bind_log, start_recording
from markone.perceptron.base.student import Student
from markone.perceptron.base.weighted import RepeatingStudent
from markone.perceptron.measures import convergence_bound, stability_bound
from markone.perceptron.students._rosenblatt import rosenblatt_w, rosenblatt_x

# Standard deviation of a random start.
SMALL = 0.01


class Rosenblatt(TrainingLog, RandomOrder, ProblemThreads, IncrementalStudent, RepeatingStudent):
    """Embed an example whenever its potential E^mu = w . xi^mu S^mu is c or less.

    Converges after finitely many updates if and only if the data are linearly separable, which
    `separability` tests; `Pocket` and `AdaTron(C=...)` tolerate errors.

    Parameters
    ----------
    c : float
        Margin c of (3.9). With c > 0 the stability is at least kappa_max / (2 + eta Gamma / c),
        Gamma = max |xi|^2 / N.
    eta : float
        Learning rate. Irrelevant for c = 0 from a zero start.
    order : {"cyclic", "random", "shuffled"}
        Order of presentation: cyclic (3.11), random with replacement, or a new permutation each epoch.
    run_on : {"weights", "embeddings"}
        Iterate w (3.12) with N operations per presentation, or x (3.14) on the P x P matrix of
        correlations with one: faster if mistakes are few. Both give the same student.
    start : {"zero", "random"}
        Tabula rasa, or small Gaussian weights of standard deviation 0.01.
    max_iter : int
        Maximum number of epochs of P presentations.

    Attributes
    ----------
    embedding_ : array (P,)
        x^mu, number of updates with each example (times eta).
    n_updates_ : int
        M, the number of updates; compare `convergence_bound`.
    converged_ : bool
        Whether all E^mu > c.

    See Also
    --------
    Pocket : Minimises the number of errors on inseparable data.
    AdaTron : The perceptron of optimal stability.
    separability : Decides whether there is a student without errors.

    Examples
    --------
    >>> from markone import Rosenblatt
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "no", "no", "yes"]
    >>> student = Rosenblatt().fit(X, y)
    >>> student.converged_, student.n_updates_, student.predict([[1, 1]]).tolist()
    (True, 8, ['yes'])
    """

    c: NotNegative = 0.0
    eta: Positive = 1.0
    order: Annotated[str, StrOptions(set(ORDERS))] = "cyclic"
    run_on: Annotated[str, StrOptions({"weights", "embeddings"})] = "weights"
    start: Annotated[str, StrOptions({"zero", "random"})] = "zero"
    max_iter: Count = 1000

    def _train(self, problem: Problem, start: Trained | None) -> Trained:
        w0, x = self._initial_state(problem, start)
        on_weights = self.run_on == "weights"
        recorder = start_recording(self, problem, **({"w": w0, "x": x} if on_weights else {"x": x}))
        weights, result = self._run_on_either(problem, w0, x, self.max_iter, self.trace, recorder)
        message = "" if result.converged else self._nonconvergence_message(problem, weights, x, result)
        done = (result.n_epochs, result.n_updates, result.converged, message, result.trace)
        return Trained(weights, x, *done, history=recorder.build_history() if recorder else None)

    def _initial_state(self, problem: Problem, start: Trained | None) -> tuple[Array, Array]:
        if start is not None:
            return start.w.copy(), initial_strengths(start, problem.P)
        if self.start == "random":
            return np.random.default_rng(problem.seed).normal(0.0, SMALL, problem.N), np.zeros(problem.P)
        return np.zeros(problem.N), np.zeros(problem.P)

    def _run_on_either(
        self,
        problem: Problem,
        w: Array,
        x: Array,
        max_epochs: int,
        trace: bool,
        recorder: Recorder | None = None,
    ) -> tuple[Array, Run]:
        """Train w and x in place, on weights or on embeddings; return the weights and the run."""
        turn = ExampleOrder.start(self.order, problem)
        loop = self._weight_loop if self.run_on == "weights" else self._embedding_loop
        step, weights = loop(problem, w, x, turn, recorder)

        def learned() -> bool:
            # In random order an epoch without a mistake may not have presented every example.
            return self.order != "random" or bool((problem.local_potentials(weights()) > self.c).all())

        result = run_epochs(step, problem, weights, learned, max_epochs, epochs_per_call(problem), trace)
        return weights(), result

    def _weight_loop(
        self, problem: Problem, w: Array, x: Array, turn: ExampleOrder, recorder: Recorder | None
    ) -> tuple[Callable[[int], Any], Callable[[], Array]]:
        """A function that trains w and x for some epochs, and one that returns the weights."""
        how = LoopSettings(float(self.eta), float(self.c), np.full(problem.P, np.inf), 0.0)
        learn = bind_log(rosenblatt_w, recorder)

        def present_epochs(epochs: int) -> Any:
            return learn(problem.xi, problem.S, problem.C_diagonal, w, x, how, epochs, turn)

        return present_epochs, lambda: w

    def _embedding_loop(
        self, problem: Problem, w: Array, x: Array, turn: ExampleOrder, recorder: Recorder | None
    ) -> tuple[Callable[[int], Any], Callable[[], Array]]:
        """The same on embedding strengths: the weights are a fixed part and the sum of the examples."""
        how = LoopSettings(float(self.eta), float(self.c), np.full(problem.P, np.inf), 0.0)
        C, E = problem.correlation_matrix(), problem.local_potentials(w)
        fixed = w - problem.weights_from_strengths(x)
        learn = bind_log(rosenblatt_x, recorder)
        if recorder:
            recorder.fixed = fixed

        def present_epochs(epochs: int) -> Any:
            return learn(C, x, E, how, epochs, turn)

        return present_epochs, lambda: fixed + problem.weights_from_strengths(x)

    def _nonconvergence_message(self, problem: Problem, w: Array, x: Array, result: Run) -> str:
        E = problem.local_potentials(w)
        wrong, bound = int(np.sum(self.c >= E)), stability_bound(x, problem.X, problem.S)
        blank = int(np.sum(problem.C_diagonal == 0))
        advice = (
            f"{blank} example(s) are all zero and have E = 0 for any weights: remove them or set "
            "fit_intercept=True."
            if blank
            else "Raise max_iter, check with separability(X, y) whether a solution exists, or use Pocket or "
            "AdaTron(C=1), which tolerate errors."
        )
        return (
            f"stopped after {result.n_epochs} epochs with {wrong} of {problem.P} examples at E <= c = "
            f"{self.c:g}; no perceptron here has a stability above {bound:.3g}. {advice}"
        )

    def _learn_batch(self, problem: Problem, w: Array) -> Trained:
        x = np.zeros(problem.P)
        recorder = start_recording(self, problem, **({"w": w} if self.run_on == "weights" else {"x": x}))
        w, result = self._run_on_either(problem, w, x, 1, False, recorder)
        return Trained(w, n_updates=result.n_updates, history=recorder.build_history() if recorder else None)

    def convergence_bound(self, X: Any, y: Any, solution: Student) -> Array | float:
        """M* (3.29), the maximum number of updates from a zero start, given any student without errors.

        With a student of optimal stability (`AdaTron`) the bound is N (2c/eta + Gamma) / kappa_max^2.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", reset=False)
        X = self._append_clamped_input(X)
        bounds = [
            convergence_bound(X, S, w, self.c, self.eta)
            for S, w in zip(self._make_targets(np.asarray(y)), solution._weights(), strict=True)
        ]
        return np.array(bounds) if len(bounds) > 1 else bounds[0]
