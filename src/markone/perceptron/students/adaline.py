"""Adaline: least squares of 1 - E^mu   (2.8-2.10, 3.53-3.66)."""

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import lsqr

from markone.base.parameters import POSITIVE, Count, NotNegative
from markone.base.sklearn_compat import StrOptions
from markone.numerics._random import ORDERS
from markone.numerics.arrays import Array
from markone.perceptron.base._loops import ExampleOrder, LoopSettings
from markone.perceptron.base.epochs import epochs_per_call, run_epochs
from markone.perceptron.base.parameters import RandomOrder, TrainingLog
from markone.perceptron.base.problem import Problem, Trained, initial_strengths
from markone.perceptron.base.recorder import Recorder, bind_log, start_recording
from markone.perceptron.base.weighted import WeightedStudent
from markone.perceptron.students._adatron import adaline_w


class Adaline(TrainingLog, RandomOrder, WeightedStudent):
    """Least squares fit of the labels S = +-1, used as a classifier.

    If E^mu = 1 can be satisfied for all examples (P <= N), it is the solution of smallest norm (3.53).

    Parameters
    ----------
    solver : {"closed", "sequential", "parallel"}
        Pseudo-inverse (2.8), or ridge (2.9) if `ridge` > 0; one example at a time (3.64, 3.65); all at
        once (3.62, 3.63). Sequential updates converge only if E = 1 can be reached.
    ridge : float
        Weight decay gamma of (2.10); the threshold decays too. Closed form only.
    eta : float or None
        Learning rate. Sequential: relative to C_mumu, so that 0 < eta < 2 converges; None is 1.
        Parallel: must be below 2 / (largest eigenvalue of C); None is half of that.
    order : {"cyclic", "random", "shuffled"}
        Order of presentation: cyclic, random with replacement, or a new permutation each epoch.
    tol : float
        Iterative solvers stop when no strength (sequential) or no potential (parallel) changes by more.
    max_iter : int
        Maximum number of epochs of the iterative solvers.
    class_weight : dict, "balanced" or None
        With `sample_weight`: weights of the squared errors. Closed form only.
    record : {"updates", "presentations"} or None
        Keep every update (or presentation) in `history_`, bounded in memory. Needs solver "sequential".

    Attributes
    ----------
    embedding_ : array (P,)
        x^mu, of any sign; not set by the pseudo-inverse.

    Examples
    --------
    >>> from markone import Adaline
    >>> student = Adaline(fit_intercept=False).fit([[1.0, 0.0], [1.0, 1.0]], [1, -1])
    >>> student.decision_function([[1.0, 0.0], [1.0, 1.0]]).round(12).tolist()
    [1.0, -1.0]
    """

    solver: Annotated[str, StrOptions({"closed", "sequential", "parallel"})] = "closed"
    ridge: NotNegative = 0.0
    eta: Annotated[float | None, POSITIVE, None] = None
    order: Annotated[str, StrOptions(set(ORDERS))] = "cyclic"
    tol: NotNegative = 1e-8
    max_iter: Count = 1000

    def _train(self, problem: Problem, start: Trained | None) -> Trained:
        if self.record is not None and self.solver != "sequential":
            raise ValueError(
                f"solver={self.solver!r} has no updates of examples to record; use solver='sequential'."
            )
        if self.solver == "closed":
            return self._solve_closed_form(problem)
        if self.ridge > 0 or problem.weights is not None:
            raise ValueError(
                f"solver={self.solver!r} supports neither ridge nor weights of examples; use solver='closed'."
            )
        return self._train_iteratively(problem, start)

    def _solve_closed_form(self, problem: Problem) -> Trained:
        root = np.sqrt(np.ones(problem.P) if problem.weights is None else problem.weights)
        target = root * problem.S
        if sparse.issparse(problem.X):
            weighted = sparse.diags_array(root) @ problem.X
            w = lsqr(
                weighted, target, damp=np.sqrt(self.ridge), atol=1e-14, btol=1e-14, iter_lim=10 * problem.N
            )[0]
        else:
            w = _least_squares(root[:, None] * problem.X, target, self.ridge)
        # By (2.9) w = sum (S - w . xi) xi / ridge, which is (3.13) with these strengths.
        x = None
        if self.ridge > 0:
            x = problem.N / self.ridge * root**2 * (1.0 - problem.local_potentials(w))
        return Trained(w, x)

    def _train_iteratively(self, problem: Problem, start: Trained | None) -> Trained:
        x = initial_strengths(start, problem.P)
        w = problem.weights_from_strengths(x)
        recorder = start_recording(self, problem, w=w, x=x)
        if self.solver == "sequential":
            step = self._sequential_step(problem, w, x, recorder)
        else:
            step = self._parallel_step(problem, w, x)
        block = epochs_per_call(problem)
        random = self.solver == "sequential" and self.order == "random"
        confirm = self._strengths_settled(problem, w) if random else lambda: True
        result = run_epochs(step, problem, lambda: w, confirm, self.max_iter, block, self.trace)
        message = "" if result.converged else self._nonconvergence_message(problem, w)
        done = (result.n_epochs, result.n_updates, result.converged)
        return Trained(
            w, x, *done, message, result.trace, history=recorder.build_history() if recorder else None
        )

    def _sequential_step(self, problem: Problem, w: Array, x: Array, recorder: Recorder | None) -> Any:
        turn, h = ExampleOrder.start(self.order, problem), problem.C_diagonal
        eta = 1.0 if self.eta is None else self.eta
        how = LoopSettings(float(eta), 0.0, np.full(problem.P, np.inf), float(self.tol))
        learn = bind_log(adaline_w, recorder)

        def present_epochs(epochs: int) -> Any:
            return learn(problem.xi, problem.S, h, w, x, how, epochs, turn)

        return present_epochs

    def _strengths_settled(self, problem: Problem, w: Array) -> Callable[[], bool]:
        """Test that no strength would change by more than tol: a random epoch may have missed examples."""
        h = problem.C_diagonal
        eta = 1.0 if self.eta is None else self.eta

        def still() -> bool:
            change = eta * np.abs(1.0 - problem.local_potentials(w))[h > 0] / h[h > 0]
            return bool(np.all(change <= self.tol))

        return still

    def _parallel_step(self, problem: Problem, w: Array, x: Array) -> Any:
        largest = problem.largest_eigenvalue()
        eta = (1.0 / largest if largest > 0 else 1.0) if self.eta is None else self.eta

        def present_epochs(epochs: int) -> tuple[int, int, bool]:
            E = problem.local_potentials(w)
            for epoch in range(epochs):
                x[:] += eta * (1.0 - E)
                w[:] = problem.weights_from_strengths(x)
                E, before = problem.local_potentials(w), E
                if np.abs(E - before).max() <= self.tol:
                    return epoch + 1, problem.P * (epoch + 1), True
            return epochs, problem.P * epochs, False

        return present_epochs

    def _nonconvergence_message(self, problem: Problem, w: Array) -> str:
        off = float(np.abs(1.0 - problem.local_potentials(w)).max())
        return (
            f"stopped after max_iter = {self.max_iter} epochs with |1 - E| up to {off:.3g}. If E = 1 cannot "
            "be reached for all examples (usually P > N), sequential updates fluctuate around the least "
            "squares fit: lower eta, or use solver='closed'."
        )


def _least_squares(A: Array, b: Array, ridge: float) -> Array:
    """argmin |A w - b|^2 + ridge |w|^2, of smallest norm; by the smaller normal equations if ridge > 0."""
    A = A.astype(np.float64, copy=False)
    if ridge == 0:
        # Singular values below the rounding of A count as zero.
        rank_tolerance = np.finfo(float).eps * max(A.shape)
        return np.asarray(linalg.lstsq(A, b, cond=rank_tolerance, lapack_driver="gelsd")[0])
    if len(A) < A.shape[1]:
        dual = A @ A.T + ridge * np.eye(len(A))
        return np.asarray(A.T @ linalg.solve(dual, b, assume_a="pos"))
    return np.asarray(linalg.solve(A.T @ A + ridge * np.eye(A.shape[1]), A.T @ b, assume_a="pos"))
