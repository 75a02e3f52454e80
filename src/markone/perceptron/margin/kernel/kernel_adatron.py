"""AdaTron in feature space: the support vector machine   (4.18-4.31)."""

from numbers import Real
from typing import Annotated, Any

import numpy as np

from markone.base.parameters import POSITIVE, ClassWeight, Count, NotNegative, Positive, Record
from markone.base.sklearn_compat import Interval, StrOptions, draw_seeds, fit_context
from markone.base.weights import example_weights
from markone.numerics._random import ORDERS
from markone.numerics.arrays import Array
from markone.numerics.threads import map_in_threads
from markone.perceptron.base.parameters import FREE, ProblemThreads, RandomOrder
from markone.perceptron.base.recorder import FeatureSpaceRecorder
from markone.perceptron.margin.kernel import FeatureSpaceOptimum, Kernel, make_kernel
from markone.perceptron.margin.kernel.prediction import (
    Binary,
    KernelPredictor,
    one_vs_one,
    one_vs_rest,
    trained_from_optimum,
)
from markone.perceptron.margin.kernel.solve import train_kernel_student
from markone.perceptron.margin.kernel.textbook import train_textbook
from markone.perceptron.margin.kernel.working_set import fits_memory


class KernelAdaTron(ProblemThreads, RandomOrder, KernelPredictor):
    """The perceptron of optimal stability in the feature space of a kernel, hard or soft margin.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly", "precomputed"} or callable
        exp(-gamma |xi - xi'|^2) (4.31 with gamma = 1/(2 sigma^2)); xi . xi'; (gamma xi . xi' + coef0)^degree
        (4.28); a matrix of scalar products in place of X; or a function of two sets of inputs.
    degree : int
        Degree of the kernel "poly".
    gamma : float or "scale"
        gamma of the kernels "rbf" and "poly"; "scale" is 1 / (N var X), as in scikit-learn.
    coef0 : float
        The constant in the kernel "poly".
    C : float
        Cost of errors, 0 <= x <= C. inf is the hard margin.
    fit_intercept : bool or "free"
        True: a clamped input in feature space: intercept_scaling^2 is added to the kernel. It is part of |W|.
        "free": a threshold that is not, as in SVC: sum x S = 0, and kappa is half the width of the gap
        between the classes. Needs solver "fast". False: no threshold.
    intercept_scaling : float
        Value of the clamped input. Its weight is part of |w| and so of every stability.
    solver : {"fast", "sequential"}
        "sequential" is the textbook algorithm (4.26), one example at a time, with the P x P kernel matrix in
        memory. "fast" uses a working set of examples within `cache_size`, and ends with Newton steps.
    exact : bool
        Continue beyond `tol` to rounding error ("fast", if the free support vectors fit the cache).
    tol : float
        Relative gap at which to stop.
    order : {"shuffled", "cyclic", "random"}
        Order of presentation in the sequential solver.
    max_iter : int
        Maximum number of epochs of P steps.
    cache_size : float
        Memory for kernels in megabytes.
    multi_class : {"one_vs_rest", "one_vs_one"}
        More than two classes: each against the rest, K problems of P examples; or one against one,
        K (K - 1) / 2 problems of 2 P / K examples, which then vote.
    normalize : bool
        With more than two classes, compare potentials divided by |W|.
    class_weight : dict, "balanced" or None
        Multiplies C class by class, as `sample_weight` does example by example. With C infinite only
        whether it is zero matters.
    record : {"updates", "presentations"} or None
        Keep every update (or presentation) in `history_`; needs solver="sequential".

    Attributes
    ----------
    embedding_ : array (P,)
        X^mu of (4.20), so that the potential of xi is sum_mu X^mu S^mu K(xi^mu, xi). For more than two
        classes one row for each class or pair, as for all following attributes.
    pairs_ : array (K (K - 1) / 2, 2)
        With multi_class="one_vs_one" and more than two classes: the labels of each pair, S = +1 the second.
    support_, n_support_
        Indices of the support vectors; how many are free and how many clipped.
    support_fraction_
        n_s/P. A value near one indicates overfitting (section 4.3.4).
    stability_, stability_bounds_
        kappa in feature space, and proven bounds on the optimal one.
    gap_, status_
        Relative gap proven; "exact", "converged", "not_separable" (proven), "max_epochs" or
        "undecided" (kappa_max is too small for the rounding of the kernel). As of `AdaTron`, processors may
        differ between "exact" and "converged": what holds on each is the gap.
    intercept_ : array (1,), or one for each problem
        The free threshold, as an additive term; 0 if it is clamped, when it is part of the kernel.
    proof_
        If not separable, strengths x >= 0 near exact ones with sum x S Psi = 0; None otherwise.
    converged_ : bool
        Whether the stop rule was met.
    n_iter_ : int
        Epochs used.

    Examples
    --------
    >>> from markone import KernelAdaTron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> student = KernelAdaTron(kernel="poly", degree=2).fit(X, y)
    >>> student.status_, student.predict(X).tolist()
    ('exact', [0, 1, 1, 0])
    """

    kernel: Annotated[Any, StrOptions({"linear", "poly", "rbf", "precomputed"}), callable] = "rbf"
    degree: Count = 3
    gamma: Annotated[float | str, POSITIVE, StrOptions({"scale", "auto"})] = "scale"
    coef0: NotNegative = 1.0
    C: Annotated[float, Interval(Real, 0, np.inf, closed="right")] = np.inf
    fit_intercept: Annotated[bool | str, "boolean", StrOptions({FREE})] = True
    intercept_scaling: Positive = 1.0
    solver: Annotated[str, StrOptions({"fast", "sequential"})] = "fast"
    exact: bool = True
    tol: Positive = 1e-6
    order: Annotated[str, StrOptions(set(ORDERS))] = "shuffled"
    max_iter: Count = 1000
    cache_size: Positive = 200.0
    multi_class: Annotated[str, StrOptions({"one_vs_rest", "one_vs_one"})] = "one_vs_rest"
    normalize: bool = False
    class_weight: ClassWeight = None
    record: Record = None

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "KernelAdaTron":
        """Train on X, y; with kernel="precomputed" X is the (P, P) matrix of scalar products."""
        X, y = self._read_data(X, y, accept_sparse=False if self.kernel == "precomputed" else "csr")
        self._set_classes(y)
        weights = example_weights(X, y, self.classes_, sample_weight, self.class_weight)
        used = np.arange(len(y)) if weights is None else np.flatnonzero(weights > 0)
        if self.multi_class == "one_vs_one" and self.kernel != "precomputed":
            # Sorted by class, so that the kernels of two classes are contiguous in memory.
            used = used[np.argsort(y[used], kind="stable")]
        C = np.full(len(used), float(self.C)) if weights is None else self.C * weights[used]
        kernel = self._make_kernel(X, used, None if weights is None else weights[used])
        problems = self._binary_problems(y[used])
        if len(problems) > 1 and self.solver == "fast" and fits_memory(len(used), self.cache_size):
            # Computed once for all problems.
            kernel = kernel.with_matrix()
        seeds = draw_seeds(self.random_state, len(problems))
        recorders = self._make_recorders(X, problems, used)

        def solve(k: int) -> FeatureSpaceOptimum:
            indices, S = problems[k].indices, problems[k].S
            part = kernel if indices is None else kernel.subset_kernel(indices)
            return self._solve_binary(part, S, problems[k].of(C), seeds[k], recorders[k])

        found = map_in_threads(solve, range(len(problems)), self.n_jobs)
        trained = [
            trained_from_optimum(f, p.of(C), p.of(used), len(y)) for f, p in zip(found, problems, strict=True)
        ]
        self._set_outcome(trained, [(f.lower, f.upper) for f in found])
        self._set_history([recorder.build_history() for recorder in recorders if recorder])
        self._keep(kernel, found, problems, used)
        self._warn(trained)
        return self

    def _binary_problems(self, y: Array) -> list[Binary]:
        """Return the binary problems to be solved; set `pairs_`."""
        codes, K = np.searchsorted(self.classes_, y), len(self.classes_)
        self.__dict__.pop("pairs_", None)
        if K == 2 or self.multi_class == "one_vs_rest":
            return one_vs_rest(codes, K)
        problems = one_vs_one(codes, K)
        self.pairs_ = self.classes_[np.array([[p.negative, p.positive] for p in problems], dtype=int)]
        return problems

    def _make_kernel(self, X: Any, used: Array, weights: Array | None) -> Kernel:
        some = X if np.array_equal(used, np.arange(X.shape[0])) else X[used]
        if self.kernel == "precomputed" and len(used) < X.shape[0] == X.shape[1]:
            some = some[:, used]
        free = self.fit_intercept == FREE
        kernel = make_kernel(
            self.kernel,
            some,
            degree=self.degree,
            gamma=self.gamma,
            coef0=self.coef0,
            clamp=self.intercept_scaling**2 if self.fit_intercept and not free else 0.0,
            weights=weights,
        )
        kernel.free, kernel.clamped_value = free, float(self.intercept_scaling)
        return kernel

    def _make_recorders(
        self, X: Any, problems: list[Binary], used: Array
    ) -> list[FeatureSpaceRecorder] | list[None]:
        if self.record is None:
            return [None] * len(problems)
        if self.solver != "sequential":
            raise ValueError(
                "solver='fast' does not learn example by example; to record updates use solver='sequential', "
                "which converges to the same student."
            )
        return [FeatureSpaceRecorder(self, X[p.of(used)], p.S, self.record) for p in problems]

    def _solve_binary(
        self, kernel: Kernel, S: Array, C: Array, seed: int, recorder: FeatureSpaceRecorder | None
    ) -> FeatureSpaceOptimum:
        if self.solver == "sequential":
            if kernel.free:
                raise ValueError(
                    "solver='sequential' learns a threshold as the weight of a clamped input: set "
                    "fit_intercept=True, or solver='fast' for a free threshold."
                )
            return train_textbook(kernel, S, C, self.tol, self.max_iter, self.order, seed, recorder)
        return train_kernel_student(kernel, S, C, self.tol, self.exact, self.max_iter, self.cache_size, seed)
