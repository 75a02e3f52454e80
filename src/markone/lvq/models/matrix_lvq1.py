"""Matrix LVQ1: LVQ1 with an adaptive quadratic distance   (5.9, 5.13-5.15)."""

from numbers import Real
from typing import Annotated, Any

import numpy as np
from sklearn.utils import check_random_state

from markone.base.parameters import COUNT
from markone.base.sklearn_compat import Interval
from markone.lvq.base.metric import LearnedMetric
from markone.lvq.base.online import OnlineLVQ, RateSchedule
from markone.lvq.distances.omega import canonical_omega
from markone.lvq.solvers.online._matrix_lvq1 import matrix_lvq1_epoch
from markone.lvq.solvers.online.online_training import SCHEDULES, OnlineTraining
from markone.numerics.arrays import Array


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
        omega, rank = np.eye(N), self.rank or N
        if rank > N:
            raise ValueError(
                f"rank = {rank} is larger than the {N} feature(s) of X. Lower it or leave it None."
            )
        if rank < N:
            normal = check_random_state(self.random_state).standard_normal((N, rank))
            omega = np.linalg.qr(normal)[0].T
        self._set_omega(omega / np.sqrt(rank))

    def _set_omega(self, omega: Array) -> None:
        self.omega_ = np.ascontiguousarray(omega)
        self.lambda_ = omega.T @ omega
        self.relevance_ = np.diag(self.lambda_).copy()

    def _single_pass(self, training: OnlineTraining, order: int) -> tuple[float, int]:
        omega = self.omega_.astype(np.float64)
        # One type for the compiler: reading the example is the smaller part of its O(r N) operations.
        training.xi = np.asarray(training.xi, dtype=np.float64)
        rates = float(self.eta), float(self.eta_omega)
        scalars = (*rates, SCHEDULES[self.schedule], float(self.tau), training.t)
        cost, wrong = matrix_lvq1_epoch(
            *training.data(), omega, *scalars, order, training.turn, training.state, training.missing
        )
        self._set_omega(omega)
        return float(cost), int(wrong)

    def _copy_state(self, training: OnlineTraining) -> Any:
        return training.w.copy(), self.omega_.copy()

    def _restore_state(self, training: OnlineTraining, kept: Any) -> None:
        training.w, omega = kept
        self._set_omega(omega)

    def _error_weight(self, training: OnlineTraining) -> float:
        winners = self._matrix_distances(training.xi, training.w).argmin(axis=1)
        return float(training.weight[training.c[winners] != training.y].sum())

    def _set_fitted(self, training: OnlineTraining, dtype: Any) -> None:
        super()._set_fitted(training, dtype)
        omega, self.eigenvalues_, self.eigenvectors_ = canonical_omega(self.omega_)
        self._set_omega(omega.astype(dtype))

    def _compute_distances(self, X: Array) -> Array:
        return self._matrix_distances(X, self.prototypes_)

    def _matrix_distances(self, X: Array, W: Array) -> Array:
        """|Omega (x - w)|^2 over the observed features."""
        seen = ~np.isnan(X)
        if seen.all():
            image, images = X @ self.omega_.T, W @ self.omega_.T
            D = (image * image).sum(axis=1)[:, None] - 2 * image @ images.T + (images * images).sum(axis=1)
        else:
            each = [np.where(seen, X - w, 0.0) @ self.omega_.T for w in W]
            D = np.stack([(u * u).sum(axis=1) for u in each], axis=1)
        return np.maximum(D, 0.0)

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
