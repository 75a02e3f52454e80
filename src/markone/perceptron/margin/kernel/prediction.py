"""Multi-class problems as binary ones, prediction in feature space (4.24), export to ONNX."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted

from markone.base.input_validation import validate_data
from markone.base.onnx_graph import gaussian_model, linear_model, polynomial_model
from markone.base.scores import as_scores
from markone.numerics.arrays import Array
from markone.perceptron.base.certified import Certified
from markone.perceptron.base.parameters import FREE
from markone.perceptron.base.problem import Trained
from markone.perceptron.margin.kernel import FeatureSpaceOptimum, Kernel
from markone.perceptron.measures import support_vectors


@dataclass(frozen=True)
class Binary:
    """Examples (None: all) with S = +1 for class `positive`, -1 for class `negative` (None: all others)."""

    indices: Array | None
    S: Array
    positive: int
    negative: int | None = None

    def of(self, values: Array) -> Array:
        """Select the values of the examples of this problem."""
        return values if self.indices is None else values[self.indices]


def one_vs_rest(codes: Array, K: int) -> list[Binary]:
    """Two classes: the second against the first. More: each class against all others."""
    if K == 2:
        return [Binary(None, np.where(codes == 1, 1.0, -1.0), 1, 0)]
    return [Binary(None, np.where(codes == k, 1.0, -1.0), k) for k in range(K)]


def one_vs_one(codes: Array, K: int) -> list[Binary]:
    """Each pair of classes, the second of it +1."""
    if K == 2:
        return one_vs_rest(codes, K)
    of_class = [np.flatnonzero(codes == k) for k in range(K)]
    found = []
    for a, b in combinations(range(K), 2):
        indices = np.concatenate([of_class[a], of_class[b]])
        if indices.size == 0:
            raise ValueError(
                "Two classes have no example of a weight above zero, so they cannot be distinguished. "
                "Remove their examples, or use multi_class='one_vs_rest'."
            )
        S = np.concatenate([np.full(of_class[a].size, -1.0), np.ones(of_class[b].size)])
        found.append(Binary(indices, S, b, a))
    return found


def _pair_winners(K: int) -> tuple[Array, Array]:
    """Indicators (pairs, K) of the winner: the first class for potentials < 0, else the second."""
    pairs = np.array(list(combinations(range(K), 2)))
    first, second = np.zeros((len(pairs), K)), np.zeros((len(pairs), K))
    first[np.arange(len(pairs)), pairs[:, 0]] = 1.0
    second[np.arange(len(pairs)), pairs[:, 1]] = 1.0
    return first, second


def pair_votes(potentials: Array, K: int) -> Array:
    """Number of pairs won by each class, (n, K), from potentials (n, pairs).

    Ties are broken by the sum of the potentials, mapped to less than 1/3 and added, as in scikit-learn.
    """
    first, second = _pair_winners(K)
    won = potentials >= 0
    sums = potentials @ (second - first)
    return np.asarray(won @ second + ~won @ first + sums / (3.0 * (np.abs(sums) + 1.0)))


class KernelPredictor(Certified):
    """Stores the support vectors of all binary problems and predicts with them."""

    kernel: Any
    fit_intercept: bool | str
    intercept_scaling: float
    normalize: bool
    pairs_: Array

    def _keep(
        self, kernel: Kernel, found: list[FeatureSpaceOptimum], problems: list[Binary], used: Array
    ) -> None:
        """Store the support vectors of all problems and their signed strengths."""
        signed = np.zeros((len(found), len(used)))
        for row, f, p in zip(signed, found, problems, strict=True):
            row[slice(None) if p.indices is None else p.indices] = f.x * p.S
        support = np.flatnonzero(signed.any(axis=0))
        self._kernel = kernel.only(support)
        # A precomputed kernel has one column for every training example.
        self._columns = used[support] if self.kernel == "precomputed" else None
        self._signed = signed[:, support]
        # With a linear kernel use the weights: far from the origin, sums of kernels would cancel.
        self._linear = np.array([f.W for f in found]) if all(f.W is not None for f in found) else None
        self.intercept_ = np.array([f.b for f in found])
        self._lengths = np.sqrt([max(float(f.x @ f.E), 0.0) for f in found])

    def decision_function(self, X: Any) -> Array:
        """sum_mu X^mu S^mu K(xi^mu, xi) (4.24), divided by |W| if `normalize` is set.

        (n,) for two classes, (n, K) for more; with multi_class="one_vs_one" the number of pairs that each
        class wins, plus less than 1/3 from the potentials, which breaks ties.
        """
        check_is_fitted(self)
        accept = False if self.kernel == "precomputed" else "csr"
        X = validate_data(self, X, accept_sparse=accept, dtype=[np.float64, np.float32], reset=False)
        potentials = self._kernel_potentials(X) / self._potential_divisors()
        if hasattr(self, "pairs_"):
            potentials = pair_votes(potentials, len(self.classes_))
        return as_scores(potentials, X.dtype)

    def _potential_divisors(self) -> Array:
        """Divisors of the potentials: |W| if `normalize` is set, else 1."""
        return np.where((self._lengths > 0) & self.normalize, self._lengths, 1.0)

    def _problem_name(self, k: int) -> str:
        if not hasattr(self, "pairs_"):
            return super()._problem_name(k)
        first, second = self.pairs_[k].tolist()
        return f"class {first!r} against {second!r}"

    def to_onnx(self) -> Any:
        """Return an ONNX model: input X (n, N) float64, outputs label and scores (n, K). Needs markone[onnx].

        For the kernels "rbf", "poly" and "linear". If K = 1 the sign of the score gives the label.
        """
        check_is_fitted(self)
        kernel, divisors = self._kernel, self._potential_divisors()
        gains = _pair_winners(len(self.classes_)) if hasattr(self, "pairs_") else None
        if self._linear is not None:
            N = self.n_features_in_
            offsets = self._linear[:, N:].sum(axis=1) * self._clamped_value()
            weights = self._linear[:, :N] / divisors[:, None]
            return linear_model(weights, offsets / divisors, self.classes_, gains)
        if kernel.name not in ("rbf", "poly"):
            raise ValueError(
                f"The kernel {kernel.name!r} cannot be exported to ONNX: use 'rbf', 'poly' or 'linear'."
            )
        support = kernel.X.toarray() if sparse.issparse(kernel.X) else kernel.X
        signed = self._signed / divisors[:, None]
        rest = (signed, kernel.clamp * signed.sum(axis=1) + self.intercept_ / divisors, self.classes_, gains)
        if kernel.name == "rbf":
            return gaussian_model(support, kernel.centre, kernel.gamma, *rest)
        return polynomial_model(support, kernel.gamma, kernel.coef0, kernel.degree, *rest)

    def _kernel_potentials(self, X: Any) -> Array:
        if self._linear is None:
            return np.asarray(self._kernel.cross_kernel(X, self._columns) @ self._signed.T + self.intercept_)
        N = X.shape[1]
        scores = np.asarray(safe_sparse_dot(X, self._linear[:, :N].T, dense_output=True), dtype=np.float64)
        return np.asarray(scores + self._linear[:, N:].sum(axis=1) * self._clamped_value())

    def _clamped_value(self) -> float:
        """Value of the input whose weight is the threshold of a linear kernel."""
        return 1.0 if self.fit_intercept == FREE else float(self.intercept_scaling)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        tags.input_tags.sparse = self.kernel != "precomputed"
        return tags


def trained_from_optimum(found: FeatureSpaceOptimum, C: Array, used: Array, P: int) -> Trained:
    """Result of one binary problem on the examples `used` of P, as fitted attributes."""
    x = np.zeros(P)
    x[used] = found.x
    free, clipped = support_vectors(found.x, C)
    good = found.status in ("exact", "converged")
    proof = None
    if found.proof is not None:
        proof = np.zeros(P)
        proof[used] = found.proof
    extra = {
        "gap_": found.gap,
        "status_": found.status,
        "support_": np.sort(used[np.concatenate([free, clipped])]),
        "n_support_": np.array([len(free), len(clipped)]),
        "support_fraction_": (len(free) + len(clipped)) / len(used),
        "proof_": proof,
    }
    message = "" if good else found.message
    return Trained(np.empty(0), x, max(1, found.n_epochs), found.n_newton, good, message, extra=extra)
