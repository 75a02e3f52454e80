"""Matrix LVQ1: LVQ1 with an adaptive quadratic distance   (5.9, 5.13-5.15)."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from markone.base.sklearn_compat import Interval
from markone.lvq.base.constraints import FALLING, ONLINE, RANK
from markone.lvq.base.metric import LearnedMetric
from markone.lvq.base.online import OnlineLVQ
from markone.lvq.distances.adaptive.omega import canonical_omega
from markone.lvq.solvers.online._matrix_lvq1 import matrix_lvq1_epoch
from markone.lvq.solvers.online.online_training import SCHEDULES, OnlineTraining
from markone.numerics.arrays import Array


class MatrixLVQ1(LearnedMetric, OnlineLVQ):
    """LVQ1 with the distance (xi - w)^T Lambda (xi - w), Lambda = Omega^T Omega also adapted.

    The winner and Omega both follow Psi times the gradient of the winner's distance, Omega more slowly;
    trace Lambda stays one. It minimises no cost: in the long run Omega becomes of rank one, the direction
    in which classes vary least around their right winners, which need not separate them. Use few epochs and
    `keep="best"`, or `GMLVQ`. So `relevance_` shows where classes are narrow, not which features to select:
    there are no `feature_importances_`.

    Parameters
    ----------
    prototypes_per_class : int, list, mapping label -> int, or "auto", default="auto"
        "auto" is one where the class means misclassify at most 5 % of the examples, else three.
    initial : {"kmeans", "means", "examples", "toolbox"}, default="kmeans"
        Initial prototypes: k-means in each class (a single one: the class mean), around the class mean,
        random examples, or class means times 0.99 .. 1.01 as in the GMLVQ toolbox.
    initial_prototypes : array-like or None, default=None
        Given initial vectors.
    initial_labels : array-like or None, default=None
        The classes of the given vectors.
    rank : int or None, default=None
        Rows of Omega; None: as many as features.
    eta : float, default=0.05
        Rate of the prototypes, in units of the step that ends nearest to the example: with Lambda = 1/N it
        is LVQ1's.
    eta_omega : float, default=0.005
        Rate of Omega, in units of the step that removes the direction xi - w* from it.
    schedule : {"inverse", "exponential", "constant"}, default="inverse"
        eta / (1 + t/tau), eta exp(-t/tau) or eta after t epochs.
    tau : float, default=10.0
        Time of the schedule, in epochs.
    order : {"shuffled", "random", "cyclic"}, default="shuffled"
        Order of presentation: a new permutation each epoch, random with replacement (the notes), or cyclic.
    max_iter : int, default=30
        Maximum number of epochs; reaching it gives no warning.
    tol : float, default=0.0001
        Stop after an epoch that moved no prototype by more than tol times the spread of the data.
    keep : {"best", "last"}, default="best"
        The prototypes with the fewest errors on the training examples after any epoch, the start included
        (as the pocket of (4.2)), or those of the last epoch.
    random_state : int, RandomState or None, default=None
        Seed of the random numbers; an int makes the result reproducible.
    record : {"updates", "presentations"} or None, default=None
        Keep in `history_` each step that moved a prototype, or each step: example, Psi d(w*, xi) before and
        after, how far prototypes moved; all prototypes and the errors after it.

    Attributes
    ----------
    omega_, lambda_, relevance_
        Omega (rank, N), Lambda = Omega^T Omega and its diagonal, of sum one.
    eigenvalues_, eigenvectors_
        Of Lambda, the largest first; the rows of omega_ are along the eigenvectors.
    prototypes_ : array (M, N)
        The prototypes, in the units of X.
    prototype_labels_ : array (M,)
        Class of each prototype.
    classes_ : array (C,)
        The labels, sorted.
    n_iter_ : int
        Epochs used.
    trace_ : structured array
        Fields step, cost and errors of each step.
    history_ : History
        The recorded steps, if `record` is set; see `markone.show.animate`.

    Examples
    --------
    >>> from markone import MatrixLVQ1
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = MatrixLVQ1(random_state=0).fit(iris.X, iris.y)
    >>> model.lambda_.shape, bool(model.score(iris.X, iris.y) > 0.9)
    ((4, 4), True)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = (
        ONLINE | FALLING | RANK | {"eta_omega": [Interval(Real, 0, 0.5, closed="left")]}
    )

    def __init__(
        self,
        *,
        prototypes_per_class: Any = "auto",
        initial: str = "kmeans",
        initial_prototypes: Any = None,
        initial_labels: Any = None,
        rank: int | None = None,
        eta: float = 0.05,
        eta_omega: float = 0.005,
        schedule: str = "inverse",
        tau: float = 10.0,
        order: str = "shuffled",
        max_iter: int = 30,
        tol: float = 1e-4,
        keep: str = "best",
        random_state: Any = None,
        record: str | None = None,
    ) -> None:
        self.prototypes_per_class = prototypes_per_class
        self.initial = initial
        self.initial_prototypes = initial_prototypes
        self.initial_labels = initial_labels
        self.rank = rank
        self.eta = eta
        self.eta_omega = eta_omega
        self.schedule = schedule
        self.tau = tau
        self.order = order
        self.max_iter = max_iter
        self.tol = tol
        self.keep = keep
        self.random_state = random_state
        self.record = record

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
