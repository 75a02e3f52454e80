"""What all models with an adaptive metric share: their parameters, and the map to where it is Euclidean."""

from typing import Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from markone.lvq.base.gradient_base import GradientLVQ
from markone.numerics.arrays import Array


def checked_rank(model: Any) -> int | None:
    """The rows of Omega asked for."""
    if model.rank is not None and model.rank > model.n_features_in_:
        raise ValueError(f"rank={model.rank} is more than the {model.n_features_in_} feature(s) of X.")
    return model.rank


class MetricLVQ(ClassNamePrefixFeaturesOutMixin, TransformerMixin, GradientLVQ):
    """Prototypes with a metric of their own: `transform` maps to the space in which it is Euclidean."""

    @property
    def _n_features_out(self) -> int:
        return int(np.prod(self.omega_.shape[:-1]))

    def transform(self, X: Any) -> Array:
        """X Omega'. Missing values are taken from the centre of the prototypes: they count for nothing.

        Columns are sorted by eigenvalue; with local matrices one block of columns after the other.
        """
        X = self._read_rows(X)
        X = np.where(np.isnan(X), self._shift().astype(X.dtype), X)
        return X @ self.omega_.reshape(-1, X.shape[1]).T.astype(X.dtype, copy=False)
