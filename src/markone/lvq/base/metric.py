"""Base classes of models with a fixed distance, or with an adaptive metric and its map to Euclidean space."""

from dataclasses import field
from typing import Annotated, Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from markone.base.parameters import COUNT, Parameters
from markone.base.sklearn_compat import StrOptions
from markone.lvq.base.classifier import check_values
from markone.lvq.base.gradient_base import GradientLVQ, ModelSettings
from markone.lvq.distances import NAMES, Distance, Rows, find_distance
from markone.lvq.distances.adaptive import Local
from markone.numerics.arrays import Array

# Unknown names are refused by `find_distance`.
GivenDistance = Annotated[Any, str, Distance, tuple, list]
# Distances without a metric to be trained.
FIXED = [name for name in NAMES if not find_distance(name).adapts]


def fixed_distance(distance: Any) -> Distance:
    """Distance from a name, object or pair (function, gradient); ValueError for an adaptive metric."""
    found = find_distance(distance)
    if found.adapts:
        raise ValueError(
            f"distance={distance!r} has a metric to be learned, which this model does not do. Use GRLVQ, "
            f"GMLVQ, LGMLVQ or MatrixLVQ1, or one of {', '.join(FIXED)}."
        )
    return found


class AnyDistance(Parameters):
    """A chosen distance.

    Parameters
    ----------
    distance : str, Distance or pair (function, gradient)
        A name in `distances.NAMES`, an object such as `distances.Minkowski(p=3)`, or own functions
        `function(X, w) -> (n,)` and `gradient(X, w) -> (n, N)`, which are compared before training.

    Attributes
    ----------
    distance_
        The distance with its constants.
    """

    distance: GivenDistance = "euclidean"
    distance_: Distance = field(init=False)


class FixedDistance(AnyDistance):
    """Mixin of classifiers with a distance without a metric to be learned."""

    prototypes_: Array = field(init=False)

    def _allows_missing(self) -> bool:
        return fixed_distance(self.distance).masks

    def _allows_sparse(self) -> bool:
        return fixed_distance(self.distance).sparse

    def _check_rows(self, X: Array) -> None:
        check_values(X)
        fixed_distance(self.distance).check_rows(X)

    def _compute_distances(self, X: Array) -> Array:
        return self.distance_.evaluate(Rows.from_array(X), self.prototypes_)[0]


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


class InitialOmega(ModelSettings):
    """Start of an adaptive metric.

    Parameters
    ----------
    initial_omega : {"identity", "random"} or array-like
        Initial Omega; a rectangular identity consists of the differences of the initial prototypes.
    """

    initial_omega: Annotated[Any, StrOptions({"identity", "random"}), "array-like"] = "identity"

    def _model_settings(self) -> dict[str, Any]:
        return super()._model_settings() | {"initial_omega": self.initial_omega}


class OmegaParameters(InitialOmega):
    """An adaptive matrix.

    Parameters
    ----------
    rank : int or None
        Rows of Omega; None: as many as features.
    row_space : bool
        Remove directions in which no two examples differ from Omega (null-space correction).

    Attributes
    ----------
    lambda_, relevance_
        The relevance matrix Lambda = Omega' Omega of trace one, and its diagonal.
    omega_
        Rows sqrt(eigenvalue) x eigenvector: Omega is free up to a rotation, this is its canonical form.
    eigenvalues_, eigenvectors_
        Of Lambda, largest first; the largest component of a vector is positive.
    """

    rank: Annotated[int | None, COUNT, None] = None
    row_space: bool = True

    def _model_settings(self) -> dict[str, Any]:
        if self.rank is not None and self.rank > self.n_features_in_:
            raise ValueError(f"rank={self.rank} is more than the {self.n_features_in_} feature(s) of X.")
        return super()._model_settings() | {"rank": self.rank, "row_space": self.row_space}


class LocalMatrices(Parameters):
    """Several matrices.

    Parameters
    ----------
    per : {"class", "prototype"}
        Whether each class or each prototype has its own matrix.

    Attributes
    ----------
    lambda_, relevance_
        The matrices Lambda = Omega' Omega, of (mean) trace one, and their diagonals.
    omega_of_
        Index of the matrix of each prototype.
    """

    per: Annotated[str, StrOptions({"class", "prototype"})] = "class"

    def _make_distance(self) -> Distance:
        return Local(self.per)
