"""GLVQ in the feature space of a kernel: prototypes are combinations of examples   (5.5, 5.12)."""

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils import check_random_state

from markone.base.sklearn_compat import StrOptions, fit_context
from markone.lvq.base.classifier import PrototypeClassifier
from markone.lvq.base.constraints import COUNT, NOT_NEGATIVE, POSITIVE, PRICES, START, STEEPNESS
from markone.lvq.base.threads import one_thread
from markone.lvq.base.training_loop import TrainingSettings, train_by_gradient
from markone.lvq.costs.glvq import GLVQCost
from markone.lvq.distances.euclidean import Euclidean
from markone.lvq.solvers.lbfgs import LBFGS
from markone.lvq.spaces.feature_map import choose_landmarks
from markone.numerics.arrays import Array
from markone.perceptron.margin.kernel import make_kernel


class KernelGLVQ(PrototypeClassifier):
    """Prototypes w_j = sum_m gamma_jm phi(x_m) in feature space, trained by L-BFGS on the GLVQ cost.

    d(x, w_j) = |z(x) - z_j|^2 in coordinates z of the span of chosen examples (landmarks). The component of
    phi(x) orthogonal to this span is the same for all prototypes and left out.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly", "precomputed"} or callable, default="rbf"
        exp(-gamma |x - x'|^2), x.x', (gamma x.x' + coef0)^degree, a matrix of scalar products in place of X
        (new rows against all training rows at prediction), or a function of two sets of inputs.
    degree : int, default=3
        Degree of the kernel "poly".
    gamma : float or "scale", default="scale"
        gamma of the kernels "rbf" and "poly"; "scale" is 1 / (N var X).
    coef0 : float, default=1.0
        The constant in the kernel "poly".
    n_components : int or None, default=500
        Maximum number of landmarks. Exact if all examples lie in their span; otherwise Nystroem's
        approximation with greedily chosen landmarks. None: as many as needed.
    prototypes_per_class : int, list in the order of the classes, or mapping label -> int, default=1
        Number of prototypes of each class.
    initial : {"kmeans", "means", "examples", "toolbox"}, default="kmeans"
        As in `GLVQ`, with means and k-means in feature space.
    phi : {"sigmoid", "identity", "swish", "soft+"}, default="sigmoid"
        Increasing function Phi of the cost.
    steepness : float or None, default=None
        gamma of the function Phi; None: 10, for swish 1 (above 1.278 swish is not monotonic).
    max_iter : int, default=100
        Maximum number of steps of L-BFGS. With a full-rank kernel the training error can always reach zero:
        few steps regularise, and reaching the maximum gives no warning.
    class_weight : dict, "balanced" or None, default=None
        Weight of the examples of each class in the cost.
    cost_matrix : array-like (C, C) or None, default=None
        Cost of predicting class l (column) for class k (row), in the order of `classes_`.
    random_state : int, RandomState or None, default=None
        Seed of the random numbers; an int makes the result reproducible.

    Attributes
    ----------
    landmarks_ : array (m,)
        Indices (into the rows of fit) of the examples that span the prototypes.
    coefficients_ : array (M, m)
        gamma_jm.
    prototype_labels_ : array (M,)
        Class of each prototype.
    classes_ : array (C,)
        The labels, sorted.
    cost_ : float
        The last cost.
    n_iter_ : int
        Steps used.
    trace_ : structured array
        Fields step, cost and errors of each step.

    Examples
    --------
    >>> from markone import KernelGLVQ
    >>> from markone.data import two_classes
    >>> xi, S, _ = two_classes("rings", 60)
    >>> bool(KernelGLVQ(random_state=0).fit(xi, S).score(xi, S) > 0.95)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = (
        START
        | PRICES
        | STEEPNESS
        | {
            "kernel": [StrOptions({"linear", "poly", "rbf", "precomputed"}), callable],
            "degree": [COUNT],
            "gamma": [POSITIVE, StrOptions({"scale", "auto"})],
            "coef0": [NOT_NEGATIVE],
            "n_components": [COUNT, None],
        }
    )

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 1.0,
        n_components: int | None = 500,
        prototypes_per_class: Any = 1,
        initial: str = "kmeans",
        phi: str = "sigmoid",
        steepness: float | None = None,
        max_iter: int = 100,
        class_weight: Any = None,
        cost_matrix: Any = None,
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.n_components = n_components
        self.prototypes_per_class = prototypes_per_class
        self.initial = initial
        self.phi = phi
        self.steepness = steepness
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on X, y; with kernel="precomputed" X is the (P, P) matrix of scalar products."""
        X, y = self._read_data(X, y)
        rows = np.arange(len(X))[:, None]
        used, y, weights = self._apply_weights(rows, self._set_classes(y), sample_weight)
        kernel = self._make_kernel(X, used[:, 0], weights)
        most = kernel.P if self.n_components is None else self.n_components
        with one_thread(np.empty((kernel.P, min(most, kernel.P))), len(self.classes_)):
            self._map, Z = choose_landmarks(kernel, most)
            W, c = self._start(Z, y, weights)
            settings = TrainingSettings(
                Euclidean(), GLVQCost(self.phi, self.steepness), LBFGS(), self.max_iter
            )
            rng = check_random_state(self.random_state)
            trained = train_by_gradient(settings, Z, y, weights, self._error_costs(), W, c, rng)
        self._images, self.prototype_labels_ = trained.W, self.classes_[c]
        self.landmarks_, self.coefficients_ = used[self._map.landmarks, 0], self._map.coefficients(trained.W)
        self._kernel = kernel.only(self._map.landmarks)
        self._set_trace(trained.outcome)
        return self

    def _make_kernel(self, X: Array, used: Array, weights: Array | None) -> Any:
        some = X if len(used) == len(X) else X[used]
        if self.kernel == "precomputed" and len(used) < len(X):
            some = some[:, used]
        return make_kernel(
            self.kernel, some, degree=self.degree, gamma=self.gamma, coef0=self.coef0, weights=weights
        )

    def _allows_missing(self) -> bool:
        return False

    def _compute_distances(self, X: Array) -> Array:
        columns = self.landmarks_ if self.kernel == "precomputed" else None
        Z = self._map(self._kernel.cross_kernel(X, columns))
        D = (Z * Z).sum(axis=1)[:, None] - 2 * Z @ self._images.T + (self._images**2).sum(axis=1)
        return np.maximum(D, 0.0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
