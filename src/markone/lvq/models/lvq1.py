"""On-line rules: LVQ1 (5.3, 5.4, 5.9), OLVQ1, LVQ2.1, LVQ3, and Matrix LVQ1 (5.9, 5.13-5.15)."""

from numbers import Real
from typing import Annotated, Any

import numpy as np
from sklearn.utils import check_random_state

from markone.base.parameters import COUNT
from markone.base.sklearn_compat import Interval
from markone.lvq.base.metric import FixedDistance, LearnedMetric, fixed_distance
from markone.lvq.base.online import OnlineLVQ, RateSchedule
from markone.lvq.distances import Rows
from markone.lvq.distances.adaptive import quadratic_distances
from markone.lvq.distances.geometric import Euclidean
from markone.lvq.distances.omega import canonical_omega
from markone.lvq.distances.row_statistics import is_sparse
from markone.lvq.solvers.online import _winner_takes_all as rules
from markone.lvq.solvers.online._matrix_lvq1 import matrix_lvq1_epoch
from markone.lvq.solvers.online._sparse_lvq1 import sparse_lvq1_epoch as sparse_epoch
from markone.lvq.solvers.online.online_training import SCHEDULES, OnlineTraining, plain_lvq1_epoch
from markone.numerics.arrays import Array


class LVQ1(FixedDistance, RateSchedule, OnlineLVQ):
    """Kohonen's first scheme: the nearest prototype moves towards an example of its class, else away from it.

    It minimises no cost: it follows the gradient of Psi d(w*, xi) example by example. Prototypes become
    typical of their class. If the classes differ much in size, that of the rare one can diverge: see
    `markone.lvq.theory.lvq1`.

    Parameters
    ----------
    distance : str, Distance or pair (function, gradient)
        As in `GLVQ`. Squared Euclidean in compiled code; any other by (5.9) in plain Python, some hundred
        times slower.
    eta : float
        Learning rate of the first epoch: (5.4) with eta_w = eta.

    Examples
    --------
    >>> from markone import LVQ1
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = LVQ1(random_state=0).fit(iris.X, iris.y)
    >>> bool(model.score(iris.X, iris.y) > 0.9)
    True
    """

    def _init_state(self, training: OnlineTraining) -> None:
        self.distance_ = fixed_distance(self.distance).fit_constants(
            training.xi, training.y, training.c, training.weight
        )
        self._project_prototypes(training)

    def _extend_state(self, training: OnlineTraining) -> None:
        self.distance_ = self.distance_.with_prototypes(training.c)
        self._project_prototypes(training)

    def _project_prototypes(self, training: OnlineTraining) -> None:
        """Map the prototypes to valid ones of the distance: for a divergence, without empty bins."""
        if not isinstance(self.distance_, Euclidean):
            training.w = np.ascontiguousarray(self.distance_.decode(self.distance_.encode(training.w)))

    def _single_pass(self, training: OnlineTraining, order: int) -> tuple[float, int]:
        if is_sparse(training.xi):
            xi: Any = training.xi
            # One type for the compiler, whatever scipy's index type is.
            rows = xi.data.astype(np.float64), xi.indices.astype(np.int64), xi.indptr.astype(np.int64)
            rate = float(self.eta), SCHEDULES[self.schedule], float(self.tau), training.t
            of = training.y, training.weight, training.w, training.c
            cost, wrong = sparse_epoch(*rows, *of, *rate, order, training.turn, training.state)
            return float(cost), int(wrong)
        if isinstance(self.distance_, Euclidean):
            return self._compiled_epoch(rules.LVQ1, training, order)
        return plain_lvq1_epoch(training, self.distance_, self.eta, SCHEDULES[self.schedule], self.tau, order)

    def _error_weight(self, training: OnlineTraining) -> float:
        if isinstance(self.distance_, Euclidean):
            return training.error_weight()
        D, _ = self.distance_.evaluate(Rows.from_array(training.xi), training.w)
        return float(training.weight[training.c[D.argmin(axis=1)] != training.y].sum())


class OLVQ1(OnlineLVQ):
    """LVQ1 with adaptive rates: eta_j <- eta_j / (1 + Psi eta_j) when prototype j wins.

    A prototype with k right wins has the rate eta / (1 + k eta), so that all its examples have equal weight
    in its position and no schedule is needed. A wrong win raises the rate, at most to the initial one.

    Parameters
    ----------
    eta : float
        Initial and largest rate of each prototype.

    Attributes
    ----------
    rates_ : array (M,)
        eta_j of each prototype at the end.

    Examples
    --------
    >>> from markone import OLVQ1
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> bool(OLVQ1(random_state=0).fit(iris.X, iris.y).score(iris.X, iris.y) > 0.9)
    True
    """

    eta: float = 0.3

    def _init_state(self, training: OnlineTraining) -> None:
        self.rates_ = np.full(len(training.w), float(self.eta))

    def _extend_state(self, training: OnlineTraining) -> None:
        self.rates_ = np.append(self.rates_, np.full(len(training.w) - len(self.rates_), float(self.eta)))

    def _single_pass(self, training: OnlineTraining, order: int) -> tuple[float, int]:
        return self._compiled_epoch(rules.OLVQ1, training, order, rates=self.rates_)

    def _copy_state(self, training: OnlineTraining) -> Any:
        return training.w.copy(), self.rates_.copy()

    def _restore_state(self, training: OnlineTraining, kept: Any) -> None:
        training.w, self.rates_ = kept


class LVQ21(RateSchedule, OnlineLVQ):
    """Of the two nearest prototypes the right one moves towards the example, the wrong one away from it.

    Only if just one of them is right and the example is near their border (Kohonen 1990).

    It adapts borders, not prototypes: these diverge if the rate does not decrease. `keep="best"` returns
    those with the fewest errors.

    Parameters
    ----------
    window : float
        Width s of the window: min(d_i/d_j, d_j/d_i) > (1 - s)/(1 + s) for the (unsquared) distances of the
        two nearest.

    Examples
    --------
    >>> from markone import LVQ21
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> bool(LVQ21(random_state=0).fit(iris.X, iris.y).score(iris.X, iris.y) > 0.9)
    True
    """

    window: Annotated[float, Interval(Real, 0, 1, closed="neither")] = 0.2
    eta: float = 0.02
    max_iter: int = 50

    def _single_pass(self, training: OnlineTraining, order: int) -> tuple[float, int]:
        return self._compiled_epoch(rules.LVQ21, training, order, self.window)


class LVQ3(LVQ21):
    """LVQ2.1; if both of the two nearest prototypes are right, both move closer with rate epsilon * eta.

    This keeps prototypes typical of their class and needs at least two per class: with one it is `LVQ21`
    (Kohonen 1990).

    Parameters
    ----------
    epsilon : float
        Relative rate where both are right; 0 is LVQ2.1.

    Examples
    --------
    >>> from markone import LVQ3
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> bool(LVQ3(prototypes_per_class=2, random_state=0).fit(iris.X, iris.y).score(iris.X, iris.y) > 0.9)
    True
    """

    epsilon: Annotated[float, Interval(Real, 0, 1, closed="both")] = 0.2

    def _single_pass(self, training: OnlineTraining, order: int) -> tuple[float, int]:
        return self._compiled_epoch(rules.LVQ3, training, order, self.window, self.epsilon)


class MatrixLVQ1(LearnedMetric, RateSchedule, OnlineLVQ):
    """LVQ1 with the distance (xi - w)^T Lambda (xi - w), Lambda = Omega^T Omega also adapted.

    The winner and Omega both follow Psi times the gradient of the winner's distance, Omega more slowly;
    trace Lambda stays one. It minimises no cost: in the long run Omega becomes of rank one, the direction
    in which classes vary least around their right winners, which need not separate them. Use few epochs and
    `keep="best"`, or `GMLVQ`. So `relevance_` shows where classes are narrow, not which features to select:
    there are no `feature_importances_`.

    Parameters
    ----------
    rank : int or None
        Rows of Omega; None: as many as features.
    eta : float
        Rate of the prototypes, in units of the step that ends nearest to the example: with Lambda = 1/N it
        is LVQ1's.
    eta_omega : float
        Rate of Omega, in units of the step that removes the direction xi - w* from it.

    Attributes
    ----------
    omega_, lambda_, relevance_
        Omega (rank, N), Lambda = Omega^T Omega and its diagonal, of sum one.
    eigenvalues_, eigenvectors_
        Of Lambda, the largest first; the rows of omega_ are along the eigenvectors.

    Examples
    --------
    >>> from markone import MatrixLVQ1
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = MatrixLVQ1(random_state=0).fit(iris.X, iris.y)
    >>> model.lambda_.shape, bool(model.score(iris.X, iris.y) > 0.9)
    ((4, 4), True)
    """

    rank: Annotated[int | None, COUNT, None] = None
    eta_omega: Annotated[float, Interval(Real, 0, 0.5, closed="left")] = 0.005

    def _init_state(self, training: OnlineTraining) -> None:
        """Set Omega = 1/sqrt(N); with fewer rows those of a random rotation."""
        N = training.xi.shape[1]
        omega, rank = np.eye(N), int(self.rank or N)
        if rank > N:
            raise ValueError(
                f"rank = {rank} is larger than the {N} feature(s) of X. Lower it or leave it None."
            )
        if rank < N:
            normal = check_random_state(self.random_state).standard_normal((N, rank))
            omega = np.linalg.qr(normal)[0].T
        self.omega_ = np.ascontiguousarray(omega / np.sqrt(rank))

    def _single_pass(self, training: OnlineTraining, order: int) -> tuple[float, int]:
        omega = self.omega_.astype(np.float64)
        # One type for the compiler: reading the example is the smaller part of its O(r N) operations.
        training.xi = np.asarray(training.xi, dtype=np.float64)
        rates = float(self.eta), float(self.eta_omega)
        scalars = (*rates, SCHEDULES[self.schedule], float(self.tau), training.t)
        turn = (order, training.turn, training.state, training.missing)
        cost, wrong = matrix_lvq1_epoch(*training.compiled_arguments(), omega, *scalars, *turn)
        self.omega_ = omega
        return float(cost), int(wrong)

    def _copy_state(self, training: OnlineTraining) -> Any:
        return training.w.copy(), self.omega_.copy()

    def _restore_state(self, training: OnlineTraining, kept: Any) -> None:
        training.w, self.omega_ = kept

    def _error_weight(self, training: OnlineTraining) -> float:
        winners = quadratic_distances(Rows.from_array(training.xi), training.w, self.omega_)[0].argmin(axis=1)
        return float(training.weight[training.c[winners] != training.y].sum())

    def _set_fitted(self, training: OnlineTraining, dtype: Any) -> None:
        super()._set_fitted(training, dtype)
        omega, self.eigenvalues_, self.eigenvectors_ = canonical_omega(self.omega_)
        self.omega_ = np.ascontiguousarray(omega, dtype=dtype)
        self.lambda_ = self.omega_.T @ self.omega_
        self.relevance_ = np.diag(self.lambda_).copy()

    def _compute_distances(self, X: Array) -> Array:
        return quadratic_distances(Rows.from_array(X), self.prototypes_, self.omega_)[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Omega tends to rank one: .76 on the clusters of the checks after 30 epochs, .93 after 5.
        tags.classifier_tags.poor_score |= self.keep == "last"
        return tags

    def transform(self, X: Any) -> Array:
        """Omega x, where the distance is Euclidean; missing values are those of the nearest prototype."""
        X = self._read_rows(X)
        nearest = self.prototypes_[self._compute_distances(X).argmin(axis=1)]
        return np.where(np.isnan(X), nearest, X) @ self.omega_.T
