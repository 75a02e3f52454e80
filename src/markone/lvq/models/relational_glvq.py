"""Relational GLVQ: GLVQ for data given by their dissimilarities only."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from sklearn.metrics import pairwise_distances

from markone.base.sklearn_compat import StrOptions, fit_context
from markone.lvq.base.classifier import one_thread
from markone.lvq.base.gradient_base import EmbeddedGLVQ
from markone.lvq.distances import Distance, Rows
from markone.lvq.distances.base import Pull
from markone.numerics.arrays import Array

# Eigenvalues below this, relative to the largest, are rounding errors.
SMALL = {np.dtype(np.float64): 1e-10, np.dtype(np.float32): 1e-5}


@dataclass(frozen=True)
class PseudoEuclidean(Distance):
    """d = sum_k s_k (x_k - w_k)^2 with signs s_k = +-1; negative values are set to zero."""

    signs: Array = field(default_factory=lambda: np.empty(0))

    masks: ClassVar[bool] = False
    moved: ClassVar[bool] = True

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        signed = W * self.signs
        D = (rows.squared_values @ self.signs)[:, None] - 2 * rows.X @ signed.T + (W * signed).sum(axis=1)
        positive = D > 0

        def pull(R: Array) -> tuple[Array, Array | None]:
            R = np.where(positive, R, 0)
            return 2 * (R.sum(axis=0)[:, None] * signed - (R.T @ rows.X) * self.signs), None

        return np.where(positive, D, 0), pull


def embed_dissimilarities(D: Array, small: float, clip: bool) -> tuple[Array, Array, Array]:
    """U, the roots of |l| and the signs s of the dimensions, -1/2 J D J = U diag(s |l|) U^T.

    z = U |l|^(1/2) has the (pseudo-Euclidean) squared distances D. With `clip` only positive signs.
    """
    mean = D.mean(axis=0)
    values, U = np.linalg.eigh(-0.5 * (D - mean - mean[:, None] + mean.mean()))
    if not np.abs(values).max(initial=0.0) > 0:
        raise ValueError("All dissimilarities are zero: the examples cannot be distinguished.")
    kept = (values if clip else np.abs(values)) > small * np.abs(values).max()
    return U[:, kept], np.sqrt(np.abs(values[kept])), np.sign(values[kept])


def _check_dissimilarities(D: Array) -> None:
    """Raise ValueError unless D is symmetric, zero on the diagonal and non-negative."""
    size = float(np.abs(D).max(initial=0.0))
    if D.min(initial=0.0) < 0:
        raise ValueError(f"Dissimilarities must not be negative; the smallest is {D.min():.4g}.")
    if np.abs(D - D.T).max(initial=0.0) > 1e-6 * size:
        raise ValueError(
            "The dissimilarity matrix is not symmetric: entries differ by up to "
            f"{np.abs(D - D.T).max():.4g}. Use the mean (D + D.T)/2."
        )
    if np.abs(np.diag(D)).max(initial=0.0) > 1e-6 * size:
        raise ValueError(
            f"The diagonal of D must be zero, but the diagonal holds {np.abs(np.diag(D)).max():.4g}. "
            "Are these similarities? Use KernelGLVQ(kernel='precomputed')."
        )


class RelationalGLVQ(EmbeddedGLVQ):
    """Prototypes w_j = sum_i alpha_ji x_i, sum_i alpha_ji = 1, for data given by dissimilarities D_ij.

    d(x_i, w_j) = [D alpha_j]_i - 1/2 alpha_j^T D alpha_j (Hammer, Hofmann, Schleif, Zhu 2014): the squared
    distance if D is one. Trained by L-BFGS in the (pseudo-)Euclidean space that D defines; P^3 operations
    to compute it.

    Parameters
    ----------
    metric : str or callable
        Dissimilarity of two rows, as in `sklearn.metrics.pairwise_distances`; "precomputed": X is the
        matrix itself, at prediction one row per new object with its dissimilarities to all training objects.
    squared : bool
        True if the metric is squared already ("sqeuclidean" always is). Otherwise D is the square of it.
    negative : {"clip", "keep"}
        If D is no squared distance, its embedding has dimensions of negative sign. "clip": they are not used.
        "keep": they are, as in the literature; distances can then become negative and count as zero in
        training.

    Attributes
    ----------
    coefficients_ : array (M, P)
        alpha_ji, zero for examples of weight zero.
    signature_ : tuple of int
        Number of dimensions of positive and of negative sign.

    Examples
    --------
    >>> import numpy as np
    >>> from markone import RelationalGLVQ
    >>> lengths = np.array([3.0, 4.0, 5.0, 11.0, 12.0, 13.0])
    >>> D = abs(lengths[:, None] - lengths)
    >>> model = RelationalGLVQ(metric="precomputed").fit(D, [0, 0, 0, 1, 1, 1])
    >>> model.predict(D).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    metric: Annotated[str | Callable[[Any, Any], float], str, callable] = "euclidean"
    squared: bool = False
    negative: Annotated[str, StrOptions({"clip", "keep"})] = "clip"
    max_iter: int = 1000

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on X, y; with metric="precomputed" X is the (P, P) matrix of dissimilarities."""
        X, y = self._read_data(X, y)
        rows = np.arange(len(X))[:, None]
        used, y, weights = self._apply_weights(rows, self._set_classes(y), sample_weight)
        kept = used[:, 0]
        if self.metric == "precomputed" and X.shape[0] != X.shape[1]:
            raise ValueError(
                f"A dissimilarity matrix must be square; this one is {X.shape[0]} x {X.shape[1]}."
            )
        some = X[np.ix_(kept, kept)] if self.metric == "precomputed" else X[kept]
        given = self._compute_dissimilarities(some, some)
        _check_dissimilarities(given)
        D = self._square_metric(given)
        with one_thread(D, len(self.classes_)):
            U, roots, signs = embed_dissimilarities(D, SMALL[X.dtype], self.negative == "clip")
            W = self._train_embedded(U * roots, y, weights, PseudoEuclidean(signs))
        # Of sum one, with w_j = sum_i alpha_ji z_i: U has no part along (1, .., 1).
        alpha = (W / roots) @ U.T + 1.0 / len(U)
        self.coefficients_ = np.zeros((len(W), len(X)))
        self.coefficients_[:, kept] = alpha
        self.signature_ = int((signs > 0).sum()), int((signs < 0).sum())
        self._half = 0.5 * ((alpha @ D) * alpha).sum(axis=1)
        # A copy: the caller's array may change, and BLAS multiplies an array by itself in another order.
        self._examples = np.empty((0, 0)) if self.metric == "precomputed" else X.copy()
        return self

    def _compute_dissimilarities(self, X: Array, Y: Array) -> Array:
        """Dissimilarities of the rows of X and Y, in float64."""
        given = X if self.metric == "precomputed" else pairwise_distances(X, Y, self.metric)
        return np.asarray(given, dtype=np.float64)

    def _square_metric(self, given: Array) -> Array:
        return given if self.squared or self.metric == "sqeuclidean" else given**2

    def _compute_distances(self, X: Array) -> Array:
        D = self._square_metric(self._compute_dissimilarities(X, self._examples))
        return D @ self.coefficients_.T - self._half

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = tags.input_tags.positive_only = self.metric == "precomputed"
        return tags
