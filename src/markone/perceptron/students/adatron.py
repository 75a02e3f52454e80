"""AdaTron: the perceptron of optimal stability, and the soft margin   (3.75, 3.76, 4.3-4.6)."""

import math
from numbers import Real
from typing import Annotated, Any, ClassVar

import numpy as np

from markone.base.parameters import POSITIVE, Count, Positive
from markone.base.sklearn_compat import Interval, StrOptions
from markone.numerics._random import ORDERS
from markone.numerics.arrays import Array
from markone.perceptron.base._loops import ExampleOrder, LoopSettings
from markone.perceptron.base.epochs import epochs_per_call, run_epochs
from markone.perceptron.base.parameters import FREE, ProblemThreads, RandomOrder, TrainingLog
from markone.perceptron.base.problem import Problem, Trained
from markone.perceptron.base.recorder import Recorder, bind_log, start_recording
from markone.perceptron.base.weighted import WeightedStudent
from markone.perceptron.margin import (
    Optimum,
    Quadratic,
    State,
    evaluate_state,
    optimum_from_state,
    solve_quadratic,
)
from markone.perceptron.margin.free_threshold import solve_free_threshold
from markone.perceptron.measures import support_vectors
from markone.perceptron.separable import margin_certificates
from markone.perceptron.students._adatron import adatron_w

# Epochs between two certificates of the textbook solvers: a certificate costs about one epoch.
BETWEEN_CERTIFICATES = 10
# Potentials without the threshold below this are rounding errors, E being of order one.
NO_POTENTIAL = 1e-10
IGNORED_INPUTS = (
    "found that the best student ignores the inputs: all weights but the threshold are zero. Raise C or set "
    "class_weight='balanced'."
)


class AdaTron(TrainingLog, RandomOrder, ProblemThreads, WeightedStudent):
    """The perceptron of optimal stability, or the soft margin perceptron if C is finite.

    Maximises -1/2 x C x + sum x over 0 <= x <= gamma, gamma = C N. The solution is certified:
    `stability_bounds_` encloses the optimal stability (hard margin), `gap_` is the relative duality gap.

    Parameters
    ----------
    C : float
        Cost of errors, scikit-learn's C = gamma/N of (4.3). inf is the hard margin, for separable data.
    solver : {"fast", "sequential", "parallel"}
        "fast": sweeps with shrinking, then Newton steps on the support set. "sequential" is the textbook
        algorithm (3.76, 4.6), one example at a time; "parallel" updates all strengths at once, clipped.
    exact : bool
        Solve E = 1 on the free support vectors to rounding error ("fast" only, where at most some
        thousands are free); otherwise stop as soon as the gap is below `tol`.
    tol : float
        Relative gap at which to stop.
    eta : float or None
        Rate relative to C_mumu, 0 < eta < 2 (parallel: absolute, below 2 / largest eigenvalue of C).
        None chooses: 1.5 dense or 1 sparse for "fast", 1 for "sequential", 1/eigenvalue for "parallel".
    order : {"shuffled", "cyclic", "random"}
        Order of presentation: a new permutation each epoch, cyclic, or random with replacement.
    max_iter : int
        Maximum number of epochs.
    fit_intercept : bool or "free"
        True: a threshold as the weight of a clamped input (3.4), which is part of |w|, as in LinearSVC.
        "free": a threshold that is not, as in SVC; kappa is then half the width of the gap between the
        classes, and does not change if X is shifted. Needs solver "fast". False: no threshold.
    class_weight : dict, "balanced" or None
        Multiplies C class by class, as `sample_weight` does example by example. With C infinite only
        whether it is zero matters.
    trace : bool
        Keep errors, stability and norm of each epoch in `trace_`. Needs solver "sequential" or "parallel".
    record : {"updates", "presentations"} or None
        Keep every update (or presentation) in `history_`, bounded in memory. Needs solver "sequential".

    Attributes
    ----------
    embedding_ : array (P,)
        x^mu. Positive on the support vectors; if the data are not separable and C is
        infinite, a proof of non-separability: sum x S xi = 0.
    support_, n_support_
        Indices of the support vectors, and how many are free and how many clipped
        (lists of them for more than two classes).
    gap_
        Relative gap reached; infinite if the data are not separable (hard margin), or if rounding leaves
        nothing proven (soft margin).
    status_
        "exact" (Kuhn-Tucker met to rounding; hard margin: a proven gap of at most 1e-9), "converged" (a
        proven gap of at most `tol`), "not_separable" (proven), "max_epochs" or "undecided" (neither
        separability nor its opposite is proven). Between the first two the last bits decide, which may
        differ between processors; what holds on each is the proven `gap_`.

    Examples
    --------
    >>> from markone import AdaTron
    >>> from markone.data import teacher_examples
    >>> xi, S, _ = teacher_examples(100, 20, seed=0)
    >>> best = AdaTron(fit_intercept=False).fit(xi, S)
    >>> lower, upper = best.stability_bounds_
    >>> best.status_, bool(lower <= upper < lower * (1 + 1e-12))
    ('exact', True)
    >>> AdaTron(C=0.1).fit(xi, S).n_support_.tolist()
    [14, 33]
    """

    # Set by machines, whose stored results predate the faster approximate solver and must not change.
    _sweeps_only: ClassVar[bool] = False
    fit_intercept: Annotated[bool | str, "boolean", StrOptions({FREE})] = True
    C: Annotated[float, Interval(Real, 0, np.inf, closed="right")] = np.inf
    solver: Annotated[str, StrOptions({"fast", "sequential", "parallel"})] = "fast"
    exact: bool = True
    tol: Positive = 1e-6
    eta: Annotated[float | None, POSITIVE, None] = None
    order: Annotated[str, StrOptions(set(ORDERS))] = "shuffled"
    max_iter: Count = 1000

    def _train(self, problem: Problem, start: Trained | None) -> Trained:
        if self.record is not None and self.solver != "sequential":
            raise ValueError(
                f"solver={self.solver!r} does not learn example by example; to record updates use "
                "solver='sequential', which converges to the same student."
            )
        gamma, weights = np.full(problem.P, float(self.C) * problem.N), problem.weights
        if weights is not None:
            gamma[weights > 0] *= weights[weights > 0]
            gamma[weights <= 0] = 0.0
        x0 = None if start is None else start.x
        trained, outcome = (self._train_fast if self.solver == "fast" else self._train_textbook)(
            problem, gamma, x0
        )
        trained.bounds = (outcome.lower, outcome.upper)
        free, clipped = support_vectors(outcome.x, np.inf if math.isinf(self.C) else gamma)
        trained.extra = {
            "gap_": outcome.gap,
            "status_": outcome.status,
            "support_": np.flatnonzero(outcome.x > 0) if len(clipped) else free,
            "n_support_": np.array([len(free), len(clipped)]),
        }
        return trained

    def _train_fast(self, problem: Problem, gamma: Array, x0: Array | None) -> tuple[Trained, Optimum]:
        if self.trace:
            raise ValueError("solver='fast' keeps no trace; use solver='sequential' or 'parallel'.")
        if self.order == "random":
            raise ValueError("solver='fast' sweeps in order 'shuffled' or 'cyclic', not 'random'.")
        free = self.fit_intercept == FREE
        quadratic = Quadratic(problem.xi, problem.S, gamma, free)
        found = (solve_free_threshold if free else solve_quadratic)(
            quadratic,
            tol=self.tol,
            exact=self.exact,
            max_epochs=self.max_iter,
            eta=self.eta,
            order=self.order,
            seed=problem.seed,
            x0=x0,
            sweeps_only=self._sweeps_only,
            measured=False,
        )
        found = self._certify_optimum(quadratic, found)
        good, message = self._judge_optimum(found)
        return Trained(found.w, found.x, max(1, found.n_epochs), found.n_newton, good, message), found

    def _certify_optimum(self, quadratic: Quadratic, found: Optimum) -> Optimum:
        """Certify the optimum; an undecided hard margin is solved again unless exact=False."""
        if quadratic.hard:
            careful = self.exact and self.solver == "fast"
            return margin_certificates.certify_hard_margin(quadratic, found, self.tol, careful)
        if self.fit_intercept and self._ignores_inputs(quadratic.S, found):
            found.w[:-1] = 0.0
            found.E = quadratic.S * (found.w[-1] * self._clamped_value())
        return margin_certificates.certify_soft_margin(quadratic, found, self.tol)

    def _ignores_inputs(self, S: Array, found: Optimum) -> bool:
        """True if all weights but the threshold are zero to rounding."""
        threshold = S * (found.w[-1] * self._clamped_value())
        return bool(np.abs(found.E - threshold).max() <= NO_POTENTIAL)

    def _judge_optimum(self, found: Optimum) -> tuple[bool, str]:
        """Whether the optimum was reached, and the message of the warning if there is one."""
        if found.status not in ("exact", "converged"):
            return False, found.message
        if not math.isinf(self.C) and self.fit_intercept and not found.w[:-1].any():
            return True, IGNORED_INPUTS
        return True, ""

    def _train_textbook(self, problem: Problem, gamma: Array, x0: Array | None) -> tuple[Trained, Optimum]:
        """Run the textbook updates until the certified gap is at most tol."""
        if self.fit_intercept == FREE:
            raise ValueError(
                f"solver={self.solver!r} learns a threshold as the weight of a clamped input: set "
                "fit_intercept=True, or solver='fast' for a free threshold."
            )
        quadratic = Quadratic(problem.xi, problem.S, gamma)
        x = np.zeros(problem.P) if x0 is None else np.minimum(np.maximum(x0, 0.0), gamma)
        state = State(x, problem.weights_from_strengths(x), np.zeros(problem.P))
        recorder = start_recording(self, problem, w=state.w, x=state.x)
        if self.solver == "sequential":
            learn = self._sequential_updates(problem, state, gamma, recorder)
        else:
            learn = self._parallel_updates(problem, state, gamma)

        def present_epochs(epochs: int) -> tuple[int, int, bool]:
            updates = learn(epochs)
            evaluate_state(quadratic, state)
            state.n_epochs += epochs
            return epochs, updates, state.gap <= self.tol

        block = min(epochs_per_call(problem), BETWEEN_CERTIFICATES)
        result = run_epochs(
            present_epochs, problem, lambda: state.w, lambda: True, self.max_iter, block, self.trace
        )
        found = self._certify_optimum(quadratic, optimum_from_state(quadratic, state, result.converged))
        good, message = self._judge_optimum(found)
        trained = Trained(found.w, found.x, result.n_epochs, result.n_updates, good, message)
        trained.trace, trained.history = result.trace, recorder.build_history() if recorder else None
        return trained, found

    def _sequential_updates(
        self, problem: Problem, state: State, gamma: Array, recorder: Recorder | None = None
    ) -> Any:
        adatron = bind_log(adatron_w, recorder)
        turn, h = ExampleOrder.start(self.order, problem), problem.C_diagonal
        how = LoopSettings(1.0 if self.eta is None else float(self.eta), 0.0, gamma, -1.0)

        def learn(epochs: int) -> int:
            return int(adatron(problem.xi, problem.S, h, state.w, state.x, how, epochs, turn)[1])

        return learn

    def _parallel_updates(self, problem: Problem, state: State, gamma: Array) -> Any:
        largest = problem.largest_eigenvalue()
        eta = (1.0 / largest if largest > 0 else 1.0) if self.eta is None else self.eta

        def learn(epochs: int) -> int:
            for _ in range(epochs):
                E = problem.local_potentials(problem.weights_from_strengths(state.x))
                state.x = np.clip(state.x + eta * (1.0 - E), 0.0, gamma)
            return problem.P * epochs

        return learn
