"""MinOver: optimal stability by embedding the example of smallest stability   (3.42-3.44)."""

from numbers import Real
from typing import Annotated, Any

import numpy as np

from markone.base.parameters import NOT_NEGATIVE, Count
from markone.base.sklearn_compat import Interval, StrOptions
from markone.numerics.arrays import Array
from markone.perceptron.base.epochs import Run, epochs_per_call, run_epochs
from markone.perceptron.base.parameters import ProblemThreads, TrainingLog
from markone.perceptron.base.problem import Problem, Trained, initial_strengths, max_gram_rows
from markone.perceptron.base.recorder import Recorder, bind_log, start_recording
from markone.perceptron.base.student import Student
from markone.perceptron.measures import certify_student
from markone.perceptron.students import _minover

STOPS = {
    "gap": _minover.GAP,
    "angle": _minover.ANGLE,
    "stability_change": _minover.STABILITY_CHANGE,
    "weight_change": _minover.WEIGHT_CHANGE,
    "never": _minover.NEVER,
}
DEFAULT_TOL = {"gap": 1e-2, "angle": 1e-3, "stability_change": 1e-4, "weight_change": 1e-3, "never": 0.0}


class MinOver(TrainingLog, ProblemThreads, Student):
    """Repeatedly embed the example of smallest stability.

    Converges to the perceptron of optimal stability if the data are separable, with an error of order
    1/t; `AdaTron` is exact and faster.

    Parameters
    ----------
    stop : {"gap", "angle", "stability_change", "weight_change", "never"}
        "gap": the certified relative gap between the stability reached and its upper bound is `tol` or
        less. "angle" and "stability_change": w has turned by less than `tol` (as a fraction of pi), or
        the sum of squared changes of kappa^mu is below `tol`, over the last P steps (section 3.5.2).
        "weight_change": |dw|/|w| < tol in one step, as in common implementations; as w grows with
        every step this measures the norm, not convergence. "never": use all of max_iter.
    tol : float or None
        None means 0.01, 1e-3, 1e-4, 1e-3 for the four rules.
    c : float
        Update only while the smallest potential is c or less; optimal stability needs c -> inf.
    max_iter : int
        Epochs of P updates each.

    Attributes
    ----------
    embedding_ : array (P,)
        x^mu, non-negative integers.
    converged_ : bool
        Whether the stop rule was met with a positive stability.

    See Also
    --------
    AdaTron : The same student, exact and faster.

    Examples
    --------
    >>> from markone import MinOver
    >>> from markone.data import teacher_examples
    >>> xi, S, _ = teacher_examples(40, 20, seed=0)
    >>> student = MinOver(fit_intercept=False, tol=0.01).fit(xi, S)
    >>> lower, upper = student.stability_bounds_
    >>> student.converged_, bool(upper - lower <= 0.01 * upper)
    (True, True)
    """

    stop: Annotated[str, StrOptions(set(STOPS))] = "gap"
    tol: Annotated[float | None, NOT_NEGATIVE, None] = None
    c: Annotated[float, Interval(Real, 0, np.inf, closed="both")] = np.inf
    max_iter: Count = 1000

    def _train(self, problem: Problem, start: Trained | None) -> Trained:
        x = initial_strengths(start, problem.P)
        recorder = start_recording(self, problem, x=x)
        result = self._run_updates(problem, x, recorder)
        w = problem.weights_from_strengths(x)
        kappa, bound = bounds = certify_student(w, x, problem.X, problem.S)
        good = result.converged and kappa > 0 and self._gap_is_proven(kappa, bound)
        message = self._nonconvergence_message(good, kappa, bound, result)
        done = (result.n_epochs, result.n_updates, good, message, result.trace)
        return Trained(w, x, *done, bounds=bounds, history=recorder.build_history() if recorder else None)

    def _stop_tolerance(self) -> float:
        return DEFAULT_TOL[self.stop] if self.tol is None else self.tol

    def _gap_is_proven(self, kappa: float, bound: float) -> bool:
        """True if the gap of the proven bounds is at most tol, with a margin for rounding."""
        by_gap = self.stop == "gap" and self.c == np.inf
        return not by_gap or bound - kappa <= self._stop_tolerance() * (1.0 + 1e-6) * bound

    def _run_updates(self, problem: Problem, x: Array, recorder: Recorder | None) -> Run:
        """Change x in place; if the last student has errors, restore the most stable one found."""
        P, N, C = problem.P, problem.N, self._correlation_rows(problem)
        E = problem.local_potentials(problem.weights_from_strengths(x))
        Q, best, best_x = float(x @ E / N), -np.inf, x.copy()
        tol = self._stop_tolerance()
        learn = bind_log(_minover.minover, recorder)

        def learn_weakest(epochs: int) -> tuple[int, int, bool]:
            nonlocal Q, best
            how = (float(self.c), STOPS[self.stop], tol, epochs * P)
            steps, Q, best, stopped = learn(C, N, x, E, Q, best_x, best, *how)
            return -(-steps // P), steps, stopped

        # An epoch of P steps costs P^2 operations with the matrix of correlations, P^2 N without.
        block = epochs_per_call(problem, P * P * (1 if problem.fits_gram() else N))

        def weights() -> Array:
            return problem.weights_from_strengths(x)

        result = run_epochs(learn_weakest, problem, weights, lambda: True, self.max_iter, block, self.trace)
        if E.min() <= 0 and best > -np.inf:
            x[:] = best_x
        return result

    def _correlation_rows(self, problem: Problem) -> Any:
        if problem.fits_gram():
            return problem.correlation_matrix()
        P = problem.P
        # Memory is committed as rows are written, at most that of the largest matrix that is stored.
        kept = np.empty((min(max_gram_rows(P), P) + 1, P))
        place, count = np.full(P, -1), np.zeros(1, dtype=np.int64)
        return _minover.CachedRows(
            problem.xi, problem.S, problem.C_diagonal, np.zeros(problem.N), kept, place, count
        )

    def _nonconvergence_message(self, good: bool, kappa: float, bound: float, result: Run) -> str:
        if good or (kappa > 0 and self.stop == "never"):
            return ""
        advice = (
            f"Raise max_iter or tol; kappa_max is at most {bound:.6g}."
            if kappa > 0
            else f"No perceptron here has a stability above {bound:.3g}: the data may not be separable. "
            "Check separability(X, y), or use AdaTron(C=1), which tolerates errors."
        )
        return f"stopped after {result.n_epochs} epochs of P updates with kappa = {kappa:.6g}. {advice}"
