"""Base classes of models with an adaptive metric: parameters, and the map to Euclidean space."""

from typing import Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from markone.lvq.base.gradient_base import GradientLVQ
from markone.numerics.arrays import Array


def checked_rank(model: Any) -> int | None:
    """Validated rank, the number of rows of Omega."""
    if model.rank is not None and model.rank > model.n_features_in_:
        raise ValueError(f"rank={model.rank} is more than the {model.n_features_in_} feature(s) of X.")
    return model.rank


class LearnedMetric(ClassNamePrefixFeaturesOutMixin, TransformerMixin):
    """Mixin of models with a fitted `omega_` and `relevance_`."""

    omega_: Array

    @property
    def _n_features_out(self) -> int:
        return int(np.prod(self.omega_.shape[:-1]))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # In one dimension no classifier exceeds .81 on the three clusters of scikit-learn's checks.
        tags.classifier_tags.poor_score = getattr(self, "rank", None) == 1
        return tags


class MetricLVQ(LearnedMetric, GradientLVQ):
    """Prototypes with an adaptive metric: `transform` maps to the space in which it is Euclidean.

    Attributes
    ----------
    feature_importances_
        The relevances (of local matrices their mean), as used by scikit-learn's selectors.
    """

    @property
    def feature_importances_(self) -> Array:
        """Relevances, for local metrics their mean: for `SelectFromModel`, `RFE` and similar.

        They are comparable for features of one scale: use z-scores.
        """
        check_is_fitted(self)
        return self.relevance_ if self.relevance_.ndim == 1 else self.relevance_.mean(axis=0)

    def transform(self, X: Any) -> Array:
        """X Omega'. Missing values are replaced by the centre of the prototypes.

        Columns are sorted by eigenvalue; with local matrices one block of columns per matrix.
        """
        X = self._read_rows(X)
        X = np.where(np.isnan(X), self._prototype_centre().astype(X.dtype), X)
        return X @ self.omega_.reshape(-1, X.shape[1]).T.astype(X.dtype, copy=False)
