"""Classifiers with a distance that is not learned."""

from typing import Any

from markone.lvq.base.classifier import check_values
from markone.lvq.distances import NAMES, Distance, Rows, find_distance
from markone.numerics.arrays import Array

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


class FixedDistance:
    """Mixin of classifiers with the parameter `distance` and its fitted form `distance_`."""

    distance: Any
    distance_: Distance
    prototypes_: Array

    def _allows_missing(self) -> bool:
        return fixed_distance(self.distance).masks

    def _allows_sparse(self) -> bool:
        return fixed_distance(self.distance).sparse

    def _check_rows(self, X: Array) -> None:
        check_values(X)
        fixed_distance(self.distance).check(X)

    def _compute_distances(self, X: Array) -> Array:
        return self.distance_.evaluate(Rows.of(X), self.prototypes_)[0]
