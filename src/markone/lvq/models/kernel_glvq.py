"""GLVQ in the feature space of a kernel: prototypes are combinations of examples   (5.5, 5.12)."""

from typing import Annotated, Any, Self

import numpy as np
from scipy.linalg import solve_triangular

from markone.base.parameters import COUNT, POSITIVE, Count, NotNegative
from markone.base.sklearn_compat import StrOptions, fit_context
from markone.lvq.base.classifier import one_thread
from markone.lvq.base.gradient_base import EmbeddedGLVQ
from markone.lvq.distances.geometric import Euclidean
from markone.numerics.arrays import Array
from markone.perceptron.margin.kernel import make_kernel
from markone.perceptron.margin.kernel.mercer import Kernel

# Squared distances from the span below this, relative to the largest K(x, x), count as zero.
OUTSIDE = 1e-10


def choose_landmarks(kernel: Kernel, most: int) -> tuple[Array, Array]:
    """At most `most` landmarks, and the coordinates Z (P, m) of all training examples.

    z(x) = L^-1 K(x, landmarks) with L = Z[landmarks]; z(x).z(x') = K(x, x') for x, x' in their span.
    """
    diagonal = np.array(kernel.kernel_diagonal(), dtype=np.float64)
    limit = OUTSIDE * float(diagonal.max())
    most = min(most, kernel.P)
    Z, outside = np.zeros((kernel.P, most), order="F"), diagonal.copy()
    chosen: list[int] = []
    while len(chosen) < most and outside.max() > limit:
        m, p = len(chosen), int(outside.argmax())
        column = kernel.rows(np.array([p]))[0] - Z[:, :m] @ Z[p, :m]
        Z[:, m] = column / np.sqrt(outside[p])
        outside -= Z[:, m] ** 2
        # Rounding must not select a landmark twice.
        outside[[*chosen, p]] = 0.0
        chosen.append(p)
    if not chosen:
        raise ValueError("The kernel is zero on all examples: there is no feature space to learn in.")
    return np.array(chosen), np.ascontiguousarray(Z[:, : len(chosen)])


class KernelGLVQ(EmbeddedGLVQ):
    """Prototypes w_j = sum_m gamma_jm phi(x_m) in feature space, trained by L-BFGS on the GLVQ cost.

    d(x, w_j) = |z(x) - z_j|^2 in coordinates z of the span of chosen examples (landmarks). The component of
    phi(x) orthogonal to this span is the same for all prototypes and left out.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly", "precomputed"} or callable
        exp(-gamma |x - x'|^2), x.x', (gamma x.x' + coef0)^degree, a matrix of scalar products in place of X
        (new rows against all training rows at prediction), or a function of two sets of inputs.
    degree : int
        Degree of the kernel "poly".
    gamma : float or "scale"
        gamma of the kernels "rbf" and "poly"; "scale" is 1 / (N var X).
    coef0 : float
        The constant in the kernel "poly".
    n_components : int or None
        Maximum number of landmarks. Exact if all examples lie in their span; otherwise Nystroem's
        approximation with greedily chosen landmarks. None: as many as needed.

    Attributes
    ----------
    landmarks_ : array (m,)
        Indices (into the rows of fit) of the examples that span the prototypes.
    coefficients_ : array (M, m)
        gamma_jm.

    Examples
    --------
    >>> from markone import KernelGLVQ
    >>> from markone.data import two_classes
    >>> xi, S, _ = two_classes("rings", 60)
    >>> bool(KernelGLVQ(random_state=0).fit(xi, S).score(xi, S) > 0.95)
    True
    """

    kernel: Annotated[Any, StrOptions({"linear", "poly", "rbf", "precomputed"}), callable] = "rbf"
    degree: Count = 3
    gamma: Annotated[float | str, POSITIVE, StrOptions({"scale", "auto"})] = "scale"
    coef0: NotNegative = 1.0
    n_components: Annotated[int | None, COUNT, None] = 500

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on X, y; with kernel="precomputed" X is the (P, P) matrix of scalar products."""
        X, y = self._read_data(X, y)
        rows = np.arange(len(X))[:, None]
        used, y, weights = self._apply_weights(rows, self._set_classes(y), sample_weight)
        kernel = self._make_kernel(X, used[:, 0], weights)
        most = kernel.P if self.n_components is None else self.n_components
        with one_thread(np.empty((kernel.P, min(most, kernel.P))), len(self.classes_)):
            landmarks, Z = choose_landmarks(kernel, most)
            self._images = self._train_embedded(Z, y, weights, Euclidean())
        self.landmarks_, self._factor = used[landmarks, 0], np.tril(Z[landmarks])
        self.coefficients_ = solve_triangular(self._factor, self._images.T, lower=True, trans=1).T
        self._kernel = kernel.only(landmarks)
        return self

    def _make_kernel(self, X: Array, used: Array, weights: Array | None) -> Any:
        some = X if len(used) == len(X) else X[used]
        if self.kernel == "precomputed" and len(used) < len(X):
            some = some[:, used]
        return make_kernel(
            self.kernel, some, degree=self.degree, gamma=self.gamma, coef0=self.coef0, weights=weights
        )

    def _compute_distances(self, X: Array) -> Array:
        columns = self.landmarks_ if self.kernel == "precomputed" else None
        Z = solve_triangular(self._factor, self._kernel.cross_kernel(X, columns).T, lower=True).T
        D = (Z * Z).sum(axis=1)[:, None] - 2 * Z @ self._images.T + (self._images**2).sum(axis=1)
        return np.maximum(D, 0.0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
