"""Students with `sample_weight`: of a cost, or as numbers of repetitions."""

from typing import Any, Self

import numpy as np

from markone.base.input_validation import as_numpy
from markone.base.parameters import ClassWeight
from markone.base.sklearn_compat import check_sample_weight, fit_context
from markone.base.weights import example_weights
from markone.numerics.arrays import Array
from markone.perceptron.base.student import Student


class WeightedStudent(Student):
    """A student with `sample_weight` in `fit` and the parameter `class_weight`.

    Parameters
    ----------
    class_weight : dict, "balanced" or None
        Weight of each class; multiplies `sample_weight`.
    """

    class_weight: ClassWeight = None

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on X, y; an example of weight 2 counts as two equal examples, one of weight 0 is ignored."""

        def weigh(X: Any, y: Array) -> Array | None:
            return example_weights(X, y, self.classes_, sample_weight, self.class_weight)

        return self._read_and_fit(X, y, weigh)


class RepeatingStudent(Student):
    """A student whose `sample_weight` means repetition: it minimises no sum that could be weighted."""

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on the examples X (n_samples, n_features), dense or sparse, with labels y.

        sample_weight : integers; an example of weight k is presented k times in a row, one of weight 0 is
        omitted. `history_` counts the rows as presented.
        """
        X, y = self._read_data(X, y)
        if sample_weight is None:
            return self._fit_rows(X, y)
        rows = _repeat_by_weight(sample_weight, X)
        self._fit_rows(X[rows], y[rows])
        if hasattr(self, "embedding_"):
            strengths = [np.bincount(rows, x, len(y)) for x in np.atleast_2d(self.embedding_)]
            self.embedding_ = np.array(strengths) if len(strengths) > 1 else strengths[0]
        return self


def _repeat_by_weight(sample_weight: Any, X: Any) -> Array:
    """Row indices of X, each repeated according to its weight."""
    weights = as_numpy(sample_weight, "sample_weight")
    weights = check_sample_weight(weights, X, dtype=np.float64, ensure_non_negative=True)
    broken = weights[weights != np.rint(weights)]
    if len(broken):
        raise ValueError(
            f"sample_weight contains {broken[0]:g}: this student presents an example of weight k k times, so "
            "weights must be integers. Multiply them, or use AdaTron, Adaline or Hebb, which take any weight."
        )
    return np.repeat(np.arange(len(weights)), weights.astype(np.int64))
