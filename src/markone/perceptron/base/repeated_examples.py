"""Students trained example by example: an example of weight k is presented k times."""

from typing import Any, Self

import numpy as np

from markone.base.input_validation import as_numpy
from markone.base.sklearn_compat import check_sample_weight, fit_context
from markone.numerics.arrays import Array
from markone.perceptron.base.student import Student


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
